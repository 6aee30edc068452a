import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import type { MetricNeed, Source } from '../core/ports.ts';
import type { Corpus } from '../engine/corpus/corpus.ts';
import { coverOf } from '../engine/corpus/cover.ts';
import { metricNeeds } from '../engine/corpus/metrics.ts';
import { createRecognitionPool } from '../engine/pool.ts';
import type { RecognitionPool } from '../engine/recognition.ts';
import { type BufferPool, bufferPool } from '../evidence/buffers.ts';
import type { AttributionParts } from '../providers/rules/attribute.ts';
import { layerCorpus } from '../providers/rules/layer-corpus.ts';
import { shippedRulesDirectory } from '../providers/rules/read-corpus-files.ts';
import type { Surroundings } from './surroundings.ts';

/** Loads the rules that ship, and those of the settings over them; all mistakes leave as one StartupError, a line each. */
export async function openCorpus(rules: RuleSettings = { directories: [], disable: [] }): Promise<Corpus> {
  const folders = [shippedRulesDirectory(), ...rules.directories.map(path => resolve(path))];
  const read = await layerCorpus({ folders, disable: rules.disable });
  if (read.ok) return read.layered.corpus;
  const lines = read.problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  throw new StartupError(lines.join('\n'), 3);
}

type RuleSettings = Pick<Settings['rules'], 'directories' | 'disable'>;

/** What recognises: the workers with the corpus, and the buffers that go to and fro between them and the sources. */
export interface Engine {
  readonly pool: RecognitionPool;
  readonly buffers: BufferPool;
  readonly cover: AttributionParts['cover'];
  readonly metrics: readonly MetricNeed[];
}

export function openEngine(
  settings: { readonly rules: Pick<Settings['rules'], 'workers'> },
  corpus: Corpus,
  buffers: BufferPool = bufferPool(),
): Engine {
  const workers = settings.rules.workers === 0 ? availableParallelism() : settings.rules.workers;
  return {
    pool: createRecognitionPool(corpus, { workers, onBuffer: buffer => buffers.release(buffer) }),
    buffers,
    cover: coverOf(corpus),
    metrics: metricNeeds(corpus),
  };
}

/** The parts of the built-in provider over given sources. */
export function reasoningOver(
  settings: Settings,
  { pool, cover, metrics }: Engine,
  sources: readonly Source[],
  { log, tracer, clock }: Pick<Surroundings, 'log' | 'tracer'> & Partial<Pick<Surroundings, 'clock'>>,
): AttributionParts {
  return {
    sources,
    pool,
    cover,
    metrics,
    windows: settings.window,
    reasoning: settings.reasoning,
    log,
    ...(tracer === undefined ? {} : { tracer }),
    ...(clock === undefined ? {} : { clock }),
  };
}
