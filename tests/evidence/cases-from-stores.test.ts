import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { type CaseFolder, readCaseFolder } from '../../src/cli/case-folder.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { type AttributionRequest, parseRequest } from '../../src/contract/index.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { CollectPlan, Source } from '../../src/core/ports.ts';
import { createFilesSource } from '../../src/evidence/files/files-source.ts';
import { defaultFilesSettings } from '../../src/evidence/files/settings.ts';
import { parseLine } from '../../src/lines/formats/line-formats.ts';
import { attributeFailure } from '../../src/providers/rules/attribute.ts';
import { scopeOfRequest } from '../../src/providers/rules/reading-scope.ts';
import { momentOf } from '../../src/providers/rules/windows.ts';
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

function filesOf(folder: CaseFolder): Source {
  return createFilesSource(
    {
      ...defaultFilesSettings,
      name: 'evidence',
      trust: 'configured',
      skipUnchanged: false,
      roots: folder.fast.evidence.map(path => ({ path, templates: [] })),
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

async function outcomeOf(
  folder: CaseFolder,
  request: AttributionRequest,
  sources: readonly Source[],
): Promise<Outcome> {
  const parts = reasoningOver(settings, engine, sources, { log: silentLog });
  const session = {
    ...sampleSession('fresh'),
    moment: momentOf(request),
    windows: [],
    symptoms: [],
    coverage: [],
  };
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

const everything: Pick<CollectPlan, 'everything'> = { everything: true };

function testCases(
  kind: string,
  start: () => Promise<FakeServer>,
  under: (url: string, close: () => Promise<void>) => StoreUnderTest,
  names: readonly string[],
): void {
  let server: FakeServer;
  before(async () => {
    server = await start();
  });
  after(() => server.close());

  for (const name of names) {
    test(`${name} from ${kind} is answered as from files`, async () => {
      const folder = await readCaseFolder(join(root, name));
      const options = { naiveDatetimes: 'refuse', echoInput: false } as const;
      const parsed = parseRequest(folder.fast.request, 'application/json', options);
      assert.ok(parsed.ok);
      const { request } = parsed;
      const files = filesOf(folder);
      const fromFiles = await outcomeOf(folder, request, [files]);
      const window = { from: 0n, to: folder.now };
      const { lines } = await collectLines(filesOf(folder), planFor(request.scope.nodes, window, everything));
      const store = under(server.url, () => server.close());
      await store.push(name, shipped(lines, request, folder.now));
      const source = store.source(name);
      const fromStore = await outcomeOf(folder, request, [tablesOf(files), source]);
      await source.close?.();
      assert.deepEqual(verdictOf(fromStore), verdictOf(fromFiles));
    });
  }
}

const all = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);

testCases('Loki', startFakeLoki, lokiUnderTest, all);
testCases(
  'VictoriaLogs',
  startFakeVictoriaLogs,
  victoriaLogsUnderTest,
  all.filter((_, index) => index % 6 === 0),
);
testCases(
  'Elasticsearch',
  startFakeElasticsearch,
  elasticsearchUnderTest,
  all.filter((_, index) => index % 6 === 3),
);
