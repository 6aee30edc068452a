import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeClock } from '../../../tests/support/fake-clock.ts';
import {
  guilty,
  namesOf,
  providerSuite,
  suiteContext,
  suiteRequest,
} from '../../../tests/support/provider-suite.ts';
import { rememberedLog } from '../../../tests/support/remembered-log.ts';
import { checkout, temporaryFolder } from '../../../tests/support/service.ts';
import { moduleWorker } from '../../app/provider.ts';
import { StartupError } from '../../core/errors.ts';
import type { MetricLabels, Provider } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracing.ts';
import { silentMetrics } from '../../telemetry/silent-metrics.ts';
import { openModuleProvider } from './module-provider.ts';
import type { ModuleTools } from './module-thread.ts';

const blaming = `
export function createProvider({ node }) {
  return {
    attribute(request, context) {
      const outcome = {
        findings: [{
          target: { type: 'Node', node },
          category: 'accelerator_gpu',
          evidence: [{ kind: 'note', source: 'module', message: 'I say so' }],
        }],
        coverage: [{ source: 'module', origin: 'health', groups: [{ status: 'unknown' }] }],
      };
      context.report(outcome);
      return outcome;
    },
  };
}`;

providerSuite('module provider', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-module-'));
  writeFileSync(join(folder, 'blaming.mjs'), blaming);
  return {
    flags: {
      'provider.kind': 'module',
      'provider.module.path': join(folder, 'blaming.mjs'),
      'provider.module.settings': { node: guilty },
    },
    end: async () => rmSync(folder, { recursive: true }),
  };
});

type Context = Parameters<typeof temporaryFolder>[0];
let count = 0;

async function open(context: Context, text: string, settings: Record<string, unknown> = {}): Promise<Provider> {
  count += 1;
  const path = join(temporaryFolder(context), `module-${count}.mjs`);
  writeFileSync(path, text);
  return openFile(context, path, settings);
}

async function openFile(
  context: Context,
  path: string,
  settings: Record<string, unknown> = {},
  tools: Partial<ModuleTools> = {},
): Promise<Provider> {
  const own = { clock: fakeClock(), log: rememberedLog(), entry: moduleWorker(), ...tools };
  const opened = await openModuleProvider({ path, settings }, own);
  context.after(() => opened.close?.());
  return opened;
}

const provider = (attribute: string): string => `export const createProvider = () => ({ ${attribute} });`;

test('the example of the guide does what the guide says', async context => {
  const guide = readFileSync(join(checkout, 'docs/guides/own-provider.md'), 'utf8');
  const example = /```js\n(\/\/ duty-roster\.mjs\n[\s\S]*?)```/.exec(guide)?.[1];
  assert.ok(example);
  const roster = join(temporaryFolder(context), 'known-bad-nodes.json');
  writeFileSync(roster, '["node-02","node-99"]');
  const duty = await open(context, example, { roster });
  const outcome = await duty.attribute(suiteRequest(), suiteContext());
  assert.deepEqual(namesOf(outcome), ['node-02']);
  assert.deepEqual(outcome.findings[0]?.evidence[0]?.reference, { kind: 'file', path: roster, line: 1 });
});

test('a module that cannot be used stops start-up with one line', async context => {
  const problems: readonly (readonly [string, RegExp])[] = [
    ['export const other = 1;', /does not export a function named createProvider$/],
    ['export const createProvider = 1;', /does not export a function named createProvider$/],
    ['export {', /cannot be loaded: /],
    ["throw new Error('no licence\\nsecond line');", /cannot be loaded: no licence$/],
    ["import 'a-package-nobody-has';", /cannot be loaded: Cannot find package 'a-package-nobody-has'/],
    ["export const createProvider = () => { throw new Error('no licence'); };", /failed: no licence$/],
    ["export const createProvider = async () => Promise.reject('why');", /failed: why$/],
    ['export const createProvider = () => null;', /returned is no object$/],
    ['export const createProvider = () => ({});', /has no function named attribute$/],
    ['throw Object.create(null);', /cannot be loaded: something was thrown that is no Error$/],
    ['export const createProvider = () => { throw Object.create(null); };', /failed: something was thrown/],
    [
      'export const createProvider = () => ({ get attribute() { throw 1; } });',
      /has members that cannot be read$/,
    ],
    [provider('attribute() {}, close: 1'), /has a close that is no function$/],
    [provider('attribute() {}, corpusHash: 1'), /has a corpusHash that is no text$/],
  ];
  for (const [text, message] of problems) {
    await assert.rejects(open(context, text), (error: unknown) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, message);
      assert.match(error.message, /^provider\.module\.path: \S/);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
});

test('a module that is not there, or not named, stops start-up', async context => {
  for (const path of ['', '/nowhere/provider.mjs', './nowhere.mjs', 'a-package-nobody-has']) {
    await assert.rejects(openFile(context, path), {
      name: StartupError.name,
      message: /^provider\.module\.path/,
    });
  }
});

test('a module that takes for ever to start is waited for half a minute', async context => {
  for (const text of [
    'setInterval(() => {}, 1000); await new Promise(() => {});',
    'export const createProvider = () => new Promise(() => setInterval(() => {}, 1000));',
    'while (true);',
  ]) {
    const path = join(temporaryFolder(context), 'waiting.mjs');
    writeFileSync(path, text);
    const clock = fakeClock();
    const refused = assert.rejects(openFile(context, path, {}, { clock }), {
      name: StartupError.name,
      message: /^provider\.module\.path: .*waiting\.mjs .*nothing after 30 seconds$/,
    });
    while (clock.pending() === 0) await clock.advance(0);
    await clock.advance(30_000);
    await refused;
  }
});

test('a module that waits for what can never come, or exits, is not waited for at all', async context => {
  for (const text of [
    'await new Promise(() => {});',
    'export const createProvider = () => new Promise(() => {});',
    'export const createProvider = () => ({ then() {} });',
    'process.exit(0);',
    'export const createProvider = () => process.exit(7);',
  ]) {
    await assert.rejects(open(context, text), {
      name: StartupError.name,
      message: /^provider\.module\.path: \S+ ended before it was ready \(code \d+\): /,
    });
  }
});

test('malformed outcomes fail the request, and the log says where without a value', async context => {
  const malformed = [
    'undefined',
    '"node-01 is bad"',
    '{ findings: [] }',
    '{ coverage: [], findings: [{ target: "node-01" }] }',
    '{ get coverage() { throw new Error("node-01"); } }',
  ];
  for (const returned of malformed) {
    const broken = await open(context, provider(`attribute: () => (${returned})`));
    const log = rememberedLog();
    await assert.rejects(broken.attribute(suiteRequest(), { ...suiteContext(), log }));
    const [line] = log.lines;
    assert.match(String(line?.fields['problem']), /^outcome/);
    assert.doesNotMatch(String(line?.fields['problem']), /node-01/);
  }
});

test('a malformed report goes nowhere and harms nothing', async context => {
  const reporting = await open(
    context,
    provider('attribute(_, { report }) { report({}); return { coverage: [] }; }'),
  );
  const asked = suiteContext();
  await reporting.attribute(suiteRequest(), asked);
  assert.deepEqual(asked.reported, []);
});

test('a module that names nobody and read nothing to its end has found nothing out', async context => {
  const group = (status: string) => `[{ source: 'own', origin: 'health', groups: [{ status: '${status}' }] }]`;
  for (const [coverage, problem, type] of [
    ['[]', 'null', 'insufficient_telemetry'],
    [group('failed'), 'null', 'insufficient_telemetry'],
    [group('complete'), 'null', null],
    ['[]', "{ type: 'timeout', message: 'late' }", 'timeout'],
  ] as const) {
    const own = await open(
      context,
      provider(`attribute: () => ({ coverage: ${coverage}, problem: ${problem} })`),
    );
    const outcome = await own.attribute(suiteRequest(), suiteContext());
    assert.equal(outcome.problem?.type ?? null, type);
  }
});

test('a module that fails to close ends nothing else', async context => {
  const stubborn = await open(context, provider('attribute() {}, close() { throw new Error("no"); }'));
  await stubborn.close?.();
});

/** Counts by kind, and waits until one has come. */
function faultCounter() {
  const kinds: string[] = [];
  return {
    kinds,
    metrics: {
      ...silentMetrics,
      count: (name: string, { kind = '' }: MetricLabels) => {
        if (name === 'attribution_provider_faults_total') kinds.push(kind);
      },
    },
    async has(kind: string): Promise<void> {
      while (!kinds.includes(kind)) await sleep(5);
    },
  };
}

test('errors that belong to no request are told, counted, and harm no answer', async context => {
  const path = join(temporaryFolder(context), 'stray.mjs');
  writeFileSync(
    path,
    provider(`attribute(request, { report }) {
      Promise.reject(new Error('node-01 secret'));
      setTimeout(() => { throw Object.create(null); }, 0);
      setTimeout(() => report({ coverage: 'all' }), 0);
      return { coverage: [] };
    }`),
  );
  const faults = faultCounter();
  const log = rememberedLog();
  const stray = await openFile(context, path, {}, { log, metrics: faults.metrics });
  for (let times = 0; times < 3; times += 1) {
    assert.deepEqual((await stray.attribute(suiteRequest(), suiteContext())).findings, []);
  }
  while (faults.kinds.length < 9) await sleep(5);
  assert.equal(faults.kinds.filter(kind => kind === 'stray_error').length, 6);
  assert.equal(faults.kinds.filter(kind => kind === 'malformed_report').length, 3);
  // The first, second, fourth and eighth.
  assert.deepEqual(
    log.lines.map(({ level, fields }) => [level, fields['so_far']]),
    [1, 2, 4, 8].map(count => ['error', count]),
  );
  assert.doesNotMatch(JSON.stringify(log.lines), /secret/);
});

test('a module that ends its thread fails what is asked, and is started anew', async context => {
  const path = join(temporaryFolder(context), 'exiting.mjs');
  writeFileSync(
    path,
    provider(
      "attribute({ workloadId }) { if (workloadId === 'exit') process.exit(3); return { coverage: [] }; }",
    ),
  );
  const faults = faultCounter();
  const exiting = await openFile(context, path, {}, { metrics: faults.metrics });
  for (let times = 0; times < 2; times += 1) {
    await assert.rejects(exiting.attribute(suiteRequest({ workloadId: 'exit' }), suiteContext()), /ended/);
    assert.deepEqual((await exiting.attribute(suiteRequest(), suiteContext())).findings, []);
  }
  assert.deepEqual(faults.kinds, ['thread_ended', 'thread_ended']);
});

test('a module that cannot be started again says so to whoever asks', async context => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'once.mjs');
  writeFileSync(path, provider('attribute() { process.exit(3); }'));
  const once = await openFile(context, path);
  writeFileSync(path, 'throw new Error("no licence");');
  await assert.rejects(once.attribute(suiteRequest(), suiteContext()), /ended/);
  await assert.rejects(once.attribute(suiteRequest(), suiteContext()), /no licence/);
  assert.equal((await once.state?.(new AbortController().signal))?.works, false);
  writeFileSync(path, provider('attribute() { return { coverage: [] }; }'));
  assert.deepEqual((await once.attribute(suiteRequest(), suiteContext())).findings, []);
  assert.equal((await once.state?.(new AbortController().signal))?.works, true);
});

test('a module that never yields is ended once its deadline is past, and the next request is answered', async context => {
  const path = join(temporaryFolder(context), 'spinning.mjs');
  writeFileSync(
    path,
    provider("attribute({ workloadId }) { while (workloadId === 'spin'); return { coverage: [] }; }"),
  );
  const clock = fakeClock();
  const faults = faultCounter();
  const spinning = await openFile(context, path, {}, { clock, metrics: faults.metrics });
  const soft = new AbortController();
  const lost = assert.rejects(
    spinning.attribute(suiteRequest({ workloadId: 'spin' }), suiteContext({ soft: soft.signal })),
    /ended/,
  );
  soft.abort();
  await clock.advance(5_000);
  await lost;
  await faults.has('unresponsive');
  assert.deepEqual((await spinning.attribute(suiteRequest(), suiteContext())).findings, []);
});

test('what a module writes into its logs arrives, bound to the request, without what is no plain value', async context => {
  const path = join(temporaryFolder(context), 'writing.mjs');
  writeFileSync(
    path,
    `export function createProvider(_, { clock, log }) {
      log.info({ nodes: 2, run() {} }, 'ready at ' + typeof clock.now());
      return { attribute(_, { log }) { log.child({ part: 'a' }).warn({ b: ['c'] }, 'said'); return { coverage: [] }; } };
    }`,
  );
  const log = rememberedLog();
  const ofRequest = rememberedLog();
  const writing = await openFile(context, path, {}, { log });
  await writing.attribute(suiteRequest(), { ...suiteContext(), log: ofRequest });
  assert.deepEqual(log.lines, [{ level: 'info', fields: { nodes: 2 }, message: 'ready at bigint' }]);
  assert.deepEqual(ofRequest.lines, [{ level: 'warn', fields: { part: 'a', b: ['c'] }, message: 'said' }]);
});

test('the signal of a deadline reaches the module', async context => {
  const path = join(temporaryFolder(context), 'heeding.mjs');
  writeFileSync(
    path,
    provider(`attribute(_, { soft, report }) {
      report({ coverage: [] });
      return new Promise((_, reject) => soft.addEventListener('abort', () => reject(soft.reason)));
    }`),
  );
  const heeding = await openFile(context, path);
  const soft = new AbortController();
  const asked = suiteContext({ soft: soft.signal });
  const cut = assert.rejects(heeding.attribute(suiteRequest(), asked), { name: 'AbortError' });
  while (asked.reported.length === 0) await sleep(5);
  soft.abort();
  await cut;
});

test('a module is handed the headers of its own span, and fails with it', async context => {
  const told: string[] = [];
  const tracer: Tracer = {
    begin: name => ({
      isRecorded: true,
      set() {},
      fail: type => void told.push(`${name} failed: ${type}`),
      headers: () => ({ traceparent: `of ${name}`, tracestate: 'a=1' }),
      run: work => work(),
      end: () => void told.push(`${name} ended`),
    }),
  };
  const path = join(temporaryFolder(context), 'traced.mjs');
  writeFileSync(
    path,
    provider(
      `attribute(_, { traceHeaders, log }) { log.info(traceHeaders, 'asked'); throw new TypeError('no'); }`,
    ),
  );
  const traced = await openFile(context, path, {}, { tracer });
  const log = rememberedLog();
  await assert.rejects(traced.attribute(suiteRequest(), { ...suiteContext(), log }), { name: 'TypeError' });
  assert.deepEqual(log.lines[0]?.fields, { traceparent: 'of run module', tracestate: 'a=1' });
  assert.deepEqual(told, ['run module failed: TypeError', 'run module ended']);
});
