import type { Mark, MarkStore } from '../core/marks.ts';
import type { Clock } from '../core/ports.ts';
import type { Nanos } from '../core/time.ts';

/** Marks that are lost with the process. */
export function memoryMarks({ clock }: { readonly clock: Clock }, keptNanos: Nanos): MarkStore {
  const marks = new Map<string, Mark>();
  return {
    async record(mark) {
      marks.set(mark.about, mark);
    },
    async all() {
      const oldest = clock.now() - keptNanos;
      return [...marks.values()].filter(({ at }) => at > oldest).sort((a, b) => Number(a.at - b.at));
    },
  };
}
