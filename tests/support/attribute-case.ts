import { openEngine, reasoningOver } from '../../src/app/engine.ts';
import type { CaseFolder } from '../../src/cli/case-folder.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { parseRequest } from '../../src/contract/index.ts';
import type { Session } from '../../src/core/session.ts';
import type { Corpus } from '../../src/engine/corpus/corpus.ts';
import { createFilesSource } from '../../src/evidence/files/files-source.ts';
import { defaultFilesSettings } from '../../src/evidence/files/settings.ts';
import { type Attribution, attributeFailure } from '../../src/providers/rules/attribute.ts';
import { scopeOfRequest } from '../../src/providers/rules/reading-scope.ts';
import { momentOf } from '../../src/providers/rules/windows.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { silentLog } from './silent-log.ts';

/** The fast answer to a case by a given corpus, with the symptoms that led to it. */
export async function attributeCase(folder: CaseFolder, corpus: Corpus): Promise<Attribution> {
  const { settings } = readSettings({ file: null, environment: {}, flags: {} });
  const engine = openEngine({ ...settings, rules: { workers: 0 } }, corpus);
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
  return attributeFailure(parts, request, scope, nothing, context);
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
