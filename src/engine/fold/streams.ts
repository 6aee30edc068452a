import type { BatchHeader } from '../../core/batch.ts';
import type { CodeLookup } from '../corpus/catalogue.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { Rule } from '../corpus/rule.ts';
import { codeCap, streamCap } from '../recognize/caps.ts';
import type { LineHit } from '../recognize/hit.ts';
import { createFold, type Fold, streamKey } from './fold.ts';
import { type Sighting, sightingOfLine } from './sighting.ts';

/** Brings the hits of each stream into its order, so that caps and ends do not depend on who was ready first. */
export interface StreamMerge {
  /** Rules (positions in the corpus) that a later batch of this stream need not look for. */
  skipFor(header: BatchHeader): readonly number[];
  add(header: BatchHeader, hits: readonly LineHit[]): void;
  /** Adds what waits for batches that have not come, then the ends seen so far, to the folds. */
  flush(): { readonly ends: Fold };
}

interface Stream {
  readonly key: string;
  next: number;
  readonly waiting: Map<number, { readonly header: BatchHeader; readonly hits: readonly LineHit[] }>;
  readonly counts: Map<string, number>;
  readonly capped: Set<number>;
  readonly ends: Map<number, Sighting[]>;
}

export function mergeStreams(corpus: Corpus, lookup: CodeLookup, fold: Fold): StreamMerge {
  const streams = new Map<string, Stream>();
  const streamOf = (header: BatchHeader): Stream => {
    const key = streamKey(header.source, header.stream);
    const known = streams.get(key);
    if (known !== undefined) return known;
    const stream = {
      key,
      next: 0,
      waiting: new Map(),
      counts: new Map(),
      capped: new Set<number>(),
      ends: new Map(),
    };
    streams.set(key, stream);
    return stream;
  };
  const take = (stream: Stream, header: BatchHeader, hits: readonly LineHit[]): void => {
    for (const hit of hits) {
      const rule = corpus.rules[hit.rule];
      if (rule === undefined || stream.capped.has(hit.rule)) continue;
      const sighting = sightingOfLine(header, rule, hit, lookup);
      if (rule.keepEnds) takeEnd(stream, hit.rule, sighting);
      else if (withinCap(stream, rule, hit.rule, sighting, fold)) fold.add(sighting);
    }
  };
  const drain = (stream: Stream): void => {
    for (;;) {
      const waiting = stream.waiting.get(stream.next);
      if (waiting === undefined) return;
      stream.waiting.delete(stream.next);
      stream.next += 1;
      take(stream, waiting.header, waiting.hits);
    }
  };
  return {
    skipFor(header) {
      const stream = streamOf(header);
      return header.sequence >= stream.next ? [...stream.capped] : [];
    },
    add(header, hits) {
      const stream = streamOf(header);
      if (header.sequence < stream.next) {
        take(stream, header, hits);
        return;
      }
      stream.waiting.set(header.sequence, { header, hits });
      drain(stream);
    },
    flush() {
      const ends = createFold();
      for (const stream of streams.values()) {
        for (const sequence of [...stream.waiting.keys()].sort((a, b) => a - b)) {
          stream.next = sequence;
          drain(stream);
        }
        for (const sightings of stream.ends.values()) sightings.forEach(ends.add);
      }
      return { ends };
    },
  };
}

function takeEnd(stream: Stream, rule: number, sighting: Sighting): void {
  const [first] = stream.ends.get(rule) ?? [];
  stream.ends.set(rule, first === undefined ? [sighting] : [first, sighting]);
}

/** Counts a hit against the caps of its rule and code; what lies beyond is noted once and left out. */
function withinCap(stream: Stream, rule: Rule, index: number, { meaning }: Sighting, fold: Fold): boolean {
  const ofRule = bump(stream.counts, String(index));
  if (ofRule > streamCap(rule)) {
    stream.capped.add(index);
    fold.markCapped(rule.id, null, stream.key);
    return false;
  }
  if (meaning === null) return true;
  if (bump(stream.counts, `${index} ${meaning.code}`) <= codeCap) return true;
  fold.markCapped(rule.id, meaning.code, stream.key);
  return false;
}

function bump(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
