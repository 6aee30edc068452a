import { type Engine, reasoningOver } from '../../src/app/engine.ts';
import type { CaseFolder } from '../../src/cli/case-folder.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { parseRequest } from '../../src/contract/index.ts';
import type { Session } from '../../src/core/session.ts';
import type { Change } from '../../src/core/verdict-change.ts';
import type { Corpus } from '../../src/engine/corpus/corpus.ts';
import { coverOf } from '../../src/engine/corpus/cover.ts';
import { metricNeeds } from '../../src/engine/corpus/metrics.ts';
import { createRecognitionPool } from '../../src/engine/pool.ts';
import { bufferPool } from '../../src/evidence/buffers.ts';
import { createFilesSource } from '../../src/evidence/files/files-source.ts';
import { defaultFilesSettings } from '../../src/evidence/files/settings.ts';
import { type Attribution, attributeFailure } from '../../src/providers/rules/attribute.ts';
import { scopeOfRequest } from '../../src/providers/rules/reading-scope.ts';
import { momentOf } from '../../src/providers/rules/windows.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { silentLog } from './silent-log.ts';

/** The fast answer to a case by a given corpus, with the symptoms that led to it; as it would be with a change. */
export async function attributeCase(
  folder: CaseFolder,
  corpus: Corpus,
  change: Change | null = null,
): Promise<Attribution> {
  const { settings } = readSettings({ file: null, environment: {}, flags: {} });
  const engine = engineOf(corpus);
  const parsed = parseRequest(folder.fast.request, 'application/json', {
    naiveDatetimes: 'refuse',
    echoInput: false,
  });
  if (!parsed.ok) throw new Error(`${folder.path}: ${parsed.body}`);
  const { request } = parsed;
  const source = createFilesSource(
    {
      ...defaultFilesSettings,
      name: 'evidence',
      trust: 'configured',
      skipUnchanged: false,
      roots: folder.fast.evidence.map(path => ({ path, templates: [] })),
    },
    { clock: systemClock, log: silentLog, buffers: engine.buffers },
  );
  const parts = reasoningOver(settings, engine, [source], { log: silentLog });
  const scope = scopeOfRequest(request, freshSession(momentOf(request)), folder.now, settings.window);
  const nothing = { symptoms: [], coverage: [] };
  const context = { soft: new AbortController().signal, report: () => {}, now: folder.now };
  return attributeFailure(parts, request, scope, nothing, context, change);
}

const engines = new WeakMap<Corpus, Engine>();

/** Recognises on the calling thread: no worker is left behind, and rules are compiled once for many cases. */
function engineOf(corpus: Corpus): Engine {
  const known = engines.get(corpus);
  if (known !== undefined) return known;
  const buffers = bufferPool();
  const pool = createRecognitionPool(corpus, { workers: 0, onBuffer: buffer => buffers.release(buffer) });
  const engine = { pool, buffers, cover: coverOf(corpus), metrics: metricNeeds(corpus) };
  engines.set(corpus, engine);
  return engine;
}

function freshSession(moment: bigint): Session {
  return {
    id: 'fresh',
    version: 0,
    binding: { workloadId: '', workflowId: '', attemptIndex: 0, caller: null },
    createdAt: moment,
    moment,
    windows: [],
    symptoms: [],
    coverage: [],
    corpusHash: null,
    answers: [],
  };
}
