import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { type CaseFolder, readCaseFolder } from '../../src/cli/case-folder.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { type AttributionRequest, parseRequest } from '../../src/contract/index.ts';
import type { Batch } from '../../src/core/batch.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Source } from '../../src/core/ports.ts';
import { createFilesSource } from '../../src/evidence/files/files-source.ts';
import { defaultFilesSettings } from '../../src/evidence/files/settings.ts';
import { parseSlurmSettings } from '../../src/evidence/slurm/settings.ts';
import { createSlurmSource } from '../../src/evidence/slurm/slurm-source.ts';
import { attributeFailure } from '../../src/providers/rules/attribute.ts';
import { scopeOfRequest } from '../../src/providers/rules/reading-scope.ts';
import { momentOf } from '../../src/providers/rules/windows.ts';
import { startFakePrometheus } from '../support/fakes/prometheus.ts';
import type { StoredSeries } from '../support/fakes/promql.ts';
import { machineClock } from '../support/log-lines.ts';
import { prometheusSource } from '../support/prometheus-suite.ts';
import { sampleSession } from '../support/sample-session.ts';
import { temporaryFolder } from '../support/service.ts';
import { silentLog } from '../support/silent-log.ts';

const root = join(import.meta.dirname, '../../cases');
const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 0 } });

let engine: Engine;
before(async () => {
  engine = openEngine(settings, await openCorpus());
});
after(() => engine.pool.close());

const cases = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);

function filesOf(folder: CaseFolder): Source {
  const roots = folder.fast.evidence.map(path => ({ path, templates: [] }));
  const trust = 'configured' as const;
  return createFilesSource(
    { ...defaultFilesSettings, name: 'evidence', trust, skipUnchanged: false, roots },
    { clock: machineClock, log: silentLog, buffers: engine.buffers },
  );
}

/** What is left of the files once a server has their samples or tables. */
function without(files: Source, kind: Batch['kind']): Source {
  const { locate, ...others } = files;
  return {
    ...others,
    ...(kind === 'samples' && locate !== undefined ? { locate } : {}),
    async *collect(plan, signal) {
      const collection = files.collect(plan, signal);
      for (;;) {
        const step = await collection.next();
        const lost = kind === 'samples' ? 'exporter' : 'scheduler';
        if (step.done === true) return step.value.filter(({ origin }) => origin !== lost);
        if (step.value.kind !== kind) yield step.value;
      }
    },
  };
}

async function outcomeOf(
  folder: CaseFolder,
  request: AttributionRequest,
  sources: readonly Source[],
): Promise<Outcome> {
  const parts = reasoningOver(settings, engine, sources, { log: silentLog });
  const moment = momentOf(request);
  const session = { ...sampleSession('fresh'), moment, windows: [], symptoms: [], coverage: [] };
  const scope = scopeOfRequest(request, session, folder.now, settings.window);
  const context = { soft: new AbortController().signal, report: () => {}, now: folder.now };
  const { outcome } = await attributeFailure(parts, request, scope, { symptoms: [], coverage: [] }, context);
  return outcome;
}

function verdictOf({ findings, problem }: Outcome) {
  return {
    findings: findings.map(({ target, category }) => ({ target, category })),
    problem: problem?.type ?? null,
  };
}

async function compare(name: string, kind: Batch['kind'], open: () => Promise<Source>): Promise<void> {
  const folder = await readCaseFolder(join(root, name));
  const options = { naiveDatetimes: 'refuse', echoInput: false } as const;
  const parsed = parseRequest(folder.fast.request, 'application/json', options);
  assert.ok(parsed.ok);
  const files = filesOf(folder);
  const fromFiles = await outcomeOf(folder, parsed.request, [files]);
  const source = await open();
  const fromServer = await outcomeOf(folder, parsed.request, [source, without(files, kind)]);
  await source.close?.();
  assert.deepEqual(verdictOf(fromServer), verdictOf(fromFiles));
}

for (const name of cases.filter(each => existsSync(join(root, each, 'evidence/metrics')))) {
  test(`${name}: its samples from Prometheus lead to the same answer as from files`, async context => {
    const server = await startFakePrometheus({ series: recordedSeries(join(root, name, 'evidence/metrics')) });
    context.after(() => server.close());
    await compare(name, 'samples', async () => prometheusSource(server.url));
    assert.ok(server.requests.length > 0);
  });
}

for (const name of cases.filter(each => existsSync(join(root, each, 'evidence/scheduler')))) {
  test(`${name}: its tables from the commands of Slurm lead to the same answer as from files`, async context => {
    const script = join(temporaryFolder(context), 'slurm.sh');
    writeFileSync(script, printing(join(root, name, 'evidence/scheduler')));
    await compare(name, 'states', async () => {
      const commands = { sacct: ['sh', script, 'sacct'], scontrol: ['sh', script, 'scontrol'] };
      const parsed = parseSlurmSettings({ name: 'slurm', kind: 'slurm', commands });
      assert.ok(parsed.ok);
      return createSlurmSource(parsed.settings, { clock: machineClock, log: silentLog, random: () => 0.5 });
    });
  });
}

function recordedSeries(folder: string): readonly StoredSeries[] {
  return readdirSync(folder).flatMap(file => {
    const { data } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
    };
    return data.result.map(({ metric, values }) => ({
      labels: metric,
      samples: values.map(([seconds, value]): [number, number] => [seconds * 1000, Number(value)]),
    }));
  });
}

/** A script that prints what is recorded, as either command would, whatever it is asked for. */
function printing(folder: string): string {
  const [header = ''] = existsSync(join(folder, 'sacct.txt'))
    ? readFileSync(join(folder, 'sacct.txt'), 'utf8').split('\n', 1)
    : [];
  const table = (file: string): string =>
    existsSync(join(folder, file))
      ? `cat ${join(folder, file)}`
      : 'echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1';
  return `case "$*" in
"sacct -e") echo "${header.replaceAll('|', ' ')}" ;;
"sacct -P"*) ${table('sacct.txt')} ;;
"scontrol"*"show job"*) ${table('job.txt')} ;;
"scontrol"*"show node"*) ${table('nodes.txt')} ;;
*) echo "No reservations in the system" ;;
esac
`;
}
