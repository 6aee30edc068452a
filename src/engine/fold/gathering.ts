import type { BatchHeader, SampleBatch, StateBatch } from '../../core/batch.ts';
import type { Symptom } from '../../core/symptom.ts';
import { type CodeLookup, codeLookup } from '../corpus/catalogue.ts';
import type { Corpus } from '../corpus/corpus.ts';
import { compareText } from '../corpus/problem.ts';
import type { LineHit } from '../recognize/hit.ts';
import { centreOf, matchSeries } from '../recognize/match-samples.ts';
import { type CompiledStateRule, compileStateRules, matchState } from '../recognize/match-state.ts';
import { createFold, type Fold } from './fold.ts';
import { limitSymptoms } from './limit.ts';
import { sightingOfSample, sightingOfState } from './sighting.ts';
import { mergeStreams } from './streams.ts';

/** Everything recognised for one request, whatever the order in which it comes. */
export interface Gathering {
  /** Rules (positions in the corpus) that a worker need not look for in a batch of lines. */
  skipFor(header: BatchHeader): readonly number[];
  addHits(header: BatchHeader, hits: readonly LineHit[]): void;
  addStates(batch: StateBatch): void;
  /** Samples are judged when symptoms are asked for: some conditions compare all nodes. */
  addSamples(batch: SampleBatch): void;
  /** May be asked any number of times. */
  symptoms(): readonly Symptom[];
}

/** What opens gatherings over one corpus, of which it makes ready once what all need. `maxSymptoms`: beyond it victims are merged by rule. */
export function gatheringsOver(corpus: Corpus, maxSymptoms?: number): () => Gathering {
  const lookup = codeLookup(corpus.catalogues);
  const stateRules = compileStateRules(corpus);
  return () => createGathering(corpus, lookup, stateRules, maxSymptoms);
}

function createGathering(
  corpus: Corpus,
  lookup: CodeLookup,
  stateRules: readonly CompiledStateRule[],
  maxSymptoms: number | undefined,
): Gathering {
  const fold = createFold();
  const streams = mergeStreams(corpus, lookup, fold);
  const samples: SampleBatch[] = [];
  return {
    skipFor: streams.skipFor,
    addHits: streams.add,
    addStates(batch) {
      for (const row of batch.rows) {
        for (const rule of stateRules) {
          const captures = matchState(rule, row);
          if (captures !== null) fold.add(sightingOfState(batch, rule.rule, row, captures));
        }
      }
    },
    addSamples(batch) {
      samples.push(batch);
    },
    symptoms() {
      const { ends } = streams.flush();
      const sampled = createFold();
      foldSamples(corpus, samples, sampled, lookup);
      const all = [...fold.symptoms(), ...ends.symptoms(), ...sampled.symptoms()];
      return limitSymptoms(
        all.sort((a, b) => compareText(a.rule, b.rule)),
        maxSymptoms,
      );
    },
  };
}

function foldSamples(corpus: Corpus, batches: readonly SampleBatch[], fold: Fold, lookup: CodeLookup): void {
  for (const rule of corpus.rules) {
    const { match } = rule;
    if (match.kind !== 'sample') continue;
    for (const metric of match.metrics) {
      const wanted = batches.flatMap(batch =>
        batch.series.filter(series => series.metric === metric).map(series => ({ batch, series })),
      );
      const told = wanted.find(({ batch }) => batch.centre !== undefined)?.batch.centre;
      const centre = told ?? centreOf(wanted.map(({ series }) => series.values));
      for (const { batch, series } of wanted) {
        const at = matchSeries(match, series.values, centre);
        if (at !== null) fold.add(sightingOfSample(batch, rule, series, at, lookup));
      }
    }
  }
}
