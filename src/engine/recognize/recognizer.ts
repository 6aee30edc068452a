import type { Corpus } from '../corpus/corpus.ts';
import type { Origin } from '../corpus/vocabulary.ts';
import { measuredFrequencies } from '../gate/words.ts';
import { compileLineRules, type OriginRules, originRules, tuneGate } from './compile.ts';
import type { LineHit } from './hit.ts';
import { type BatchContent, recognizeLines } from './recognize-lines.ts';

/** A compiled corpus at work: what one worker has, or the calling thread. */
export interface Recognizer {
  recognize(content: BatchContent, skip: readonly number[]): readonly LineHit[];
}

/** After so many batches of one origin its gate is built anew for what the text now holds. */
const batchesPerTuning = 256;

interface Tuned {
  rules: OriginRules;
  batches: number;
}

const origins: readonly Origin[] = ['kernel', 'scheduler', 'exporter', 'health', 'job'];

/** Compiles all patterns at once, so that no batch waits for it. */
export function createRecognizer(corpus: Corpus): Recognizer {
  const compiled = compileLineRules(corpus);
  const tuned = new Map<Origin, Tuned>(
    origins.map(origin => [origin, { rules: originRules(compiled, origin), batches: 0 }]),
  );
  return {
    recognize(content, skip) {
      const origin = tuned.get(content.header.origin);
      if (origin === undefined || origin.rules.rules.length === 0) return [];
      if (origin.batches % batchesPerTuning === 0) {
        const { bytes, ownFrom, ownTo } = content;
        origin.rules = tuneGate(origin.rules, measuredFrequencies(bytes, ownFrom, ownTo));
      }
      origin.batches += 1;
      return recognizeLines(content, origin.rules, new Set(skip));
    },
  };
}
