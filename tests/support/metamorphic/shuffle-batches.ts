import type { Random } from '../../../bench/incidents/random.ts';
import type { Batch } from '../../../src/core/batch.ts';
import type { Source } from '../../../src/core/ports.ts';

/** Reads a source to its end and hands its batches on in random order, those of one stream too. */
export function shuffleBatches(source: Source, random: Random): Source {
  return {
    ...source,
    async *collect(plan, signal) {
      const batches: Batch[] = [];
      const collection = source.collect(plan, signal);
      for (;;) {
        const step = await collection.next();
        if (step.done !== true) {
          batches.push(step.value);
          continue;
        }
        yield* random.shuffled(batches);
        return step.value;
      }
    },
  };
}
