import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { type CaseFolder, type CaseStep, readCaseFolder } from '../../src/cli/case-folder.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { type AttributionRequest, parseRequest } from '../../src/contract/index.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { CollectPlan, Source } from '../../src/core/ports.ts';
import { createFilesSource } from '../../src/evidence/files/files-source.ts';
import { defaultFilesSettings } from '../../src/evidence/files/settings.ts';
import { parseLine } from '../../src/lines/formats/line-formats.ts';
import { type Attribution, attributeFailure } from '../../src/providers/rules/attribute.ts';
import { scopeOfRequest } from '../../src/providers/rules/reading-scope.ts';
import { fastWindow, momentOf } from '../../src/providers/rules/windows.ts';
import { startFakeElasticsearch } from '../support/fakes/elasticsearch.ts';
import { elasticsearchUnderTest } from '../support/fakes/elasticsearch-under-test.ts';
import type { FakeServer } from '../support/fakes/fake-server.ts';
import { startFakeLoki } from '../support/fakes/loki.ts';
import { lokiUnderTest } from '../support/fakes/loki-under-test.ts';
import { startFakeVictoriaLogs } from '../support/fakes/victorialogs.ts';
import { victoriaLogsUnderTest } from '../support/fakes/victorialogs-under-test.ts';
import { collectLines, machineClock, planFor, type ReadLine } from '../support/log-lines.ts';
import type { LoggedLine, StoreUnderTest } from '../support/log-store-suite.ts';
import { sampleSession } from '../support/sample-session.ts';
import { silentLog } from '../support/silent-log.ts';

const root = join(import.meta.dirname, '../../cases');
const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 0 } });

let engine: Engine;
before(async () => {
  engine = openEngine(settings, await openCorpus());
});
after(() => engine.pool.close());

function filesOf(roots: readonly string[]): Source {
  return createFilesSource(
    {
      ...defaultFilesSettings,
      name: 'evidence',
      trust: 'configured',
      skipUnchanged: false,
      roots: roots.map(path => ({ path, templates: [] })),
    },
    { clock: machineClock, log: silentLog, buffers: engine.buffers },
  );
}

/** Tables and samples stay files: a log store has neither. */
function tablesOf(files: Source): Source {
  const isTable = (origin: string): boolean => origin === 'scheduler' || origin === 'exporter';
  return {
    ...files,
    async *collect(plan, signal) {
      const collection = files.collect(plan, signal);
      for (;;) {
        const step = await collection.next();
        if (step.done === true) return step.value.filter(({ origin }) => isTable(origin));
        if (isTable(step.value.header.origin)) yield step.value;
      }
    },
  };
}

/** Lines of files as a shipper would have sent them: each with the time that it says, or the last one said. */
function shipped(lines: readonly ReadLine[], request: AttributionRequest, now: bigint): readonly LoggedLine[] {
  const streams = Map.groupBy(lines, ({ header }) => header.stream);
  return [...streams.values()].flatMap(stream => {
    const said = stream.map(({ header, text }) => {
      const parsed = parseLine(header.format, text, { ...header.dating, near: now, clock: header.stream });
      return { nanos: parsed.instant?.nanos ?? null, host: parsed.host };
    });
    let nanos = said.find(line => line.nanos !== null)?.nanos ?? momentOf(request);
    return stream.flatMap(({ header, text }, index): readonly LoggedLine[] => {
      nanos = said[index]?.nanos ?? nanos;
      const node = header.node ?? said[index]?.host ?? 'unknown';
      const { origin } = header;
      if (origin === 'job') {
        return [{ origin, node: 'login-01', job: request.workloadId, file: header.stream, nanos, line: text }];
      }
      return origin === 'kernel' || origin === 'health' ? [{ origin, node, nanos, line: text }] : [];
    });
  });
}

/** Answers one phase; `before` is what the phase before it left in the session. */
async function answer(
  folder: CaseFolder,
  request: AttributionRequest,
  sources: readonly Source[],
  before: { readonly request: AttributionRequest; readonly attribution: Attribution } | null = null,
): Promise<Attribution> {
  const parts = reasoningOver(settings, engine, sources, { log: silentLog });
  const earlier = {
    symptoms: before?.attribution.symptoms ?? [],
    coverage: before?.attribution.outcome.coverage ?? [],
  };
  const session = {
    ...sampleSession('fresh'),
    moment: momentOf(before?.request ?? request),
    windows: before === null ? [] : [fastWindow(before.request, folder.now, settings.window).past],
    ...earlier,
  };
  const scope = scopeOfRequest(request, session, folder.now, settings.window);
  const context = { soft: new AbortController().signal, report: () => {}, now: folder.now };
  return attributeFailure(parts, request, scope, earlier, context);
}

function requestOf(step: CaseStep): AttributionRequest {
  const parsed = parseRequest(step.request, 'application/json', { naiveDatetimes: 'refuse', echoInput: false });
  assert.ok(parsed.ok);
  return parsed.request;
}

/** What health checks wrote, as it stands in their logs: documents come as the lines that they were printed in. */
function epilogLines(root: string, request: AttributionRequest, now: bigint): readonly LoggedLine[] {
  const folder = join(root, 'epilog');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap(file => {
    const node = file.replace(/\.log$/, '');
    const header = { ...headerOf(file), node };
    const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
    const read = lines.map((text, index) => ({ header, text, stamp: null, number: index + 1 }));
    // Shippers stamp what carries no time when they read it, so that no two lines share a stamp.
    return shipped(read, request, now).map((line, index) => ({ ...line, nanos: line.nanos + BigInt(index) }));
  });
}

function headerOf(stream: string): ReadLine['header'] {
  const dating = { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null };
  return {
    source: 'epilog',
    origin: 'health',
    format: 'auto',
    node: null,
    stream,
    sequence: 0,
    firstLine: 1,
    dating,
  };
}

function verdictOf({ findings, problem }: Outcome) {
  return {
    findings: findings.map(({ target, category }) => ({ target, category })),
    problem: problem?.type ?? null,
  };
}

const everything: Pick<CollectPlan, 'everything'> = { everything: true };

function testCases(
  kind: string,
  start: () => Promise<FakeServer>,
  under: (url: string, close: () => Promise<void>) => StoreUnderTest,
  names: readonly string[],
  stamps: 'shared' | 'finer' = 'shared',
): void {
  let server: FakeServer;
  before(async () => {
    server = await start();
  });
  after(() => server.close());

  for (const name of names) {
    test(`${name} from ${kind} is answered as from files`, async () => {
      const folder = await readCaseFolder(join(root, name));
      const { slow } = folder;
      const request = requestOf(folder.fast);
      const fill = async (roots: readonly string[]): Promise<void> => {
        const plan = planFor(request.scope.nodes, { from: 0n, to: folder.now }, everything);
        const { lines } = await collectLines(filesOf(roots), plan);
        const nodeText = lines.filter(({ header }) => header.origin !== 'health');
        const checks = roots.flatMap(path => epilogLines(path, request, folder.now));
        const text = shipped(nodeText, request, folder.now).map((line, index) =>
          stamps === 'shared' ? line : { ...line, nanos: line.nanos + BigInt(index) },
        );
        await store.push(name, [...text, ...checks]);
      };
      const store = under(server.url, () => server.close());
      const source = store.source(name);
      const files = filesOf(folder.fast.evidence);

      const fromFiles = await answer(folder, request, [files]);
      await fill(folder.fast.evidence);
      const fromStore = await answer(folder, request, [tablesOf(files), source]);
      assert.deepEqual(verdictOf(fromStore.outcome), verdictOf(fromFiles.outcome));
      if (slow !== null) {
        const later = requestOf(slow);
        await fill(slow.evidence.filter(path => !folder.fast.evidence.includes(path)));
        const all = filesOf(slow.evidence);
        const slowFiles = await answer(folder, later, [all], { request, attribution: fromFiles });
        const before = { request, attribution: fromStore };
        const slowStore = await answer(folder, later, [tablesOf(all), source], before);
        assert.deepEqual(verdictOf(slowStore.outcome), verdictOf(slowFiles.outcome));
        assert.deepEqual(targetsOf(slowStore.outcome), slow.expected.targets);
      }
      await source.close?.();
    });
  }
}

const targetsOf = ({ findings }: Outcome) => findings.map(({ target }) => target);

const all = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);

const spansLines = 'mount-missing-on-one-node';
/** Whose decisive words stand in several lines of one stamp. */
const spanning = [spansLines, 'service-reaches-its-own-memory-limit'];

testCases('Loki', startFakeLoki, lokiUnderTest, all);
testCases(
  'VictoriaLogs',
  startFakeVictoriaLogs,
  victoriaLogsUnderTest,
  all.filter((name, index) => (index % 6 === 0 || name.startsWith('epilog-')) && !spanning.includes(name)),
);
// This server keeps no order among lines of one stamp: what spans several lines needs stamps of their own.
testCases('VictoriaLogs', startFakeVictoriaLogs, victoriaLogsUnderTest, spanning, 'finer');
testCases(
  'Elasticsearch',
  startFakeElasticsearch,
  elasticsearchUnderTest,
  all.filter((name, index) => index % 6 === 3 || name.startsWith('epilog-')),
);

test('what lines of one stamp lose with their order names no other node', async () => {
  const folder = await readCaseFolder(join(root, spansLines));
  const request = requestOf(folder.fast);
  const server = await startFakeVictoriaLogs();
  const store = victoriaLogsUnderTest(server.url, () => server.close());
  const plan = planFor(request.scope.nodes, { from: 0n, to: folder.now }, everything);
  const { lines } = await collectLines(filesOf(folder.fast.evidence), plan);
  await store.push('tied', shipped(lines, request, folder.now));
  const source = store.source('tied');
  const { outcome } = await answer(folder, request, [tablesOf(filesOf(folder.fast.evidence)), source]);
  await source.close?.();
  await server.close();
  const named = outcome.findings.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : []));
  assert.ok(named.every(node => node === 'node-83'));
});
