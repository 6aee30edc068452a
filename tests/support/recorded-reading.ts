import type { Through } from '../../src/cli/replay-case.ts';
import type { SourceCoverage } from '../../src/core/coverage.ts';
import type { CollectPlan, Located, Source } from '../../src/core/ports.ts';
import type { Symptom } from '../../src/core/symptom.ts';
import type { RecognitionPool } from '../../src/engine/recognition.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';

export type SymptomChange = (symptoms: readonly Symptom[]) => readonly Symptom[];

/** Reads the evidence of a case once, and lets it be reasoned over any number of times, with other symptoms. */
export interface RecordedReading {
  readonly through: Through;
  /** All symptoms that were recognised since `forget`. */
  seen(): readonly Symptom[];
  /** From now on what was recognised is changed before it is reasoned over. */
  change(change: SymptomChange): void;
  forget(): void;
}

interface Read {
  readonly coverage: readonly SourceCoverage[];
  symptoms: readonly Symptom[] | null;
}

/** Of one replay at a time. A reading that a changed answer asks for and the first did not is done then. */
export function recordedReading(): RecordedReading {
  const reads = new Map<string, Read>();
  const located = new Map<string, Promise<Located | null>>();
  const asRecognised: SymptomChange = symptoms => symptoms;
  let change = asRecognised;
  /** The read that the pool was opened for last. */
  let current: { read: Read | null } = { read: null };

  const source = (real: Source): Source => ({
    name: real.name,
    origins: real.origins,
    locate(request, signal) {
      const known = located.get(request.phase) ?? real.locate?.(request, signal) ?? Promise.resolve(null);
      located.set(request.phase, known);
      return known;
    },
    async *collect(plan, signal) {
      const opened = current;
      const key = keyOf(plan);
      let read = reads.get(key);
      if (read === undefined) {
        read = { coverage: yield* real.collect(plan, signal), symptoms: null };
        reads.set(key, read);
      }
      opened.read = read;
      return read.coverage;
    },
  });

  const pool = (real: RecognitionPool): RecognitionPool => ({
    ...real,
    open() {
      const recognition = real.open();
      const opened: typeof current = { read: null };
      current = opened;
      return {
        ...recognition,
        async symptoms() {
          const symptoms = opened.read?.symptoms ?? (await recognition.symptoms());
          if (opened.read !== null) opened.read.symptoms = symptoms;
          return change(symptoms);
        },
      };
    },
  });

  return {
    through: { source, pool, clock: now => ({ ...systemClock, now: () => now }) },
    seen: () => [...reads.values()].flatMap(({ symptoms }) => symptoms ?? []),
    change(changed) {
      change = changed;
    },
    forget() {
      reads.clear();
      located.clear();
      change = asRecognised;
    },
  };
}

/** What the same plan of the same phase reads is the same. */
function keyOf({ request, windows, epilogWindow, nodes, only, everything }: CollectPlan): string {
  const plan = [request.phase, windows, epilogWindow, nodes, only, everything];
  return JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
