import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type FakeFactOptions,
  type FakeFactService,
  fakeFactService,
  linesOf,
} from '../../../tests/support/fakes/fact-service.ts';
import {
  namesOf,
  openConfigured,
  providerSuite,
  suiteCase,
  suiteContext,
  suiteRequest,
} from '../../../tests/support/provider-suite.ts';
import { checkout, temporaryFolder } from '../../../tests/support/service.ts';
import { readCaseFolder } from '../../cli/case-folder.ts';
import { parseRequest } from '../../contract/index.ts';
import { StartupError } from '../../core/errors.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Provider } from '../../core/ports.ts';

const evidence = join(suiteCase, 'evidence');

function flagsFor(service: { readonly url: string }, change: Readonly<Record<string, unknown>> = {}) {
  return { 'provider.kind': 'fact', 'provider.fact.url': service.url, ...change };
}

providerSuite('fact provider', async () => {
  const service = await fakeFactService();
  return { flags: flagsFor(service), folders: [evidence], end: () => service.close() };
});

interface Bench {
  readonly options?: FakeFactOptions;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly folders?: readonly string[];
}

async function withFact(
  { options, flags, folders = [evidence] }: Bench,
  run: (provider: Provider, service: FakeFactService) => Promise<void>,
): Promise<void> {
  const service = await fakeFactService(options);
  try {
    const provider = await openConfigured({ flags: flagsFor(service, flags), folders });
    try {
      await run(provider, service);
    } finally {
      await provider.close?.();
    }
  } finally {
    await service.close();
  }
}

function statusesOf({ coverage }: Outcome, origin: string): Readonly<Record<string, string>> {
  const groups = coverage.filter(source => source.origin === origin).flatMap(source => source.groups);
  return Object.fromEntries(groups.map(group => [group.nodes, group.status]));
}

test('a failure is created once, observed node by node, then read', async () => {
  await withFact({}, async (provider, service) => {
    await provider.attribute(suiteRequest(), suiteContext());
    const [workload] = service.created.map(body => body.workload);
    assert.match(String(workload?.['id']), /^48213:cycle0:\d+$/);
    assert.deepEqual(workload?.['nodes'], ['node-01', 'node-02', 'node-03', 'node-04']);
    assert.equal(workload?.['job_end_time'], '2026-03-02T10:14:31Z');
    const hosts = service.observations.map(({ streams }) => streams[0]?.stream['hostname']);
    assert.deepEqual(hosts.toSorted(), ['', 'node-01', 'node-02', 'node-03', 'node-04']);
    const [first] = service.observations;
    assert.equal(first?.attributor, '7');
    assert.equal(first?.context['format'], 'raw_loki_streams');
    assert.equal(service.calls.at(-1), 'GET /latest/attributor/7/attribution');
  });
});

test('every line is submitted, with stamps in order, whether a rule knows it or not', async () => {
  await withFact({}, async (provider, service) => {
    await provider.attribute(suiteRequest(), suiteContext());
    const own = service.observations.find(({ streams }) => streams[0]?.stream['hostname'] === 'node-03');
    assert.ok(own);
    assert.ok(linesOf(own).length > 1);
    const stamps = own.streams.flatMap(({ values }) => values.map(([stamp]) => BigInt(stamp)));
    assert.deepEqual(
      stamps,
      stamps.toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });
});

test('answers become findings: names as in the scope, unknown members as evidence', async () => {
  const answer = {
    attributions: [
      { type: 'NodeAttribution', node: 'node-01', attributions: [{ error_category: 'gremlins', slot: 4 }] },
      { type: 'NodeAttribution', node: 'node-02', attributions: [] },
      { type: 'NodeAttribution', node: 'node-99', attributions: [{}] },
      { type: 'NodeAttribution', node: '', attributions: [{}] },
      { type: 'RackAttribution', node: 'node-04', attributions: [{}] },
      { type: 'NodeAttribution', node: 'node-03', attributions: ['it smokes'] },
      { type: 'JobAttribution', attributions: [{ error_category: 'application_error' }] },
    ],
  };
  await withFact({ options: { attribute: () => answer, id: 'a/b' } }, async (provider, service) => {
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    assert.deepEqual(namesOf(outcome), ['node-01', 'node-03', 'job']);
    assert.deepEqual(
      outcome.findings.map(finding => finding.category),
      ['unknown', 'unknown', 'application_error'],
    );
    const messages = outcome.findings.map(finding => finding.evidence.map(item => item.message).join());
    assert.match(messages[0] ?? '', /"error_category":"gremlins","slot":4/);
    assert.match(messages[1] ?? '', /it smokes/);
    assert.match(messages[2] ?? '', /gives no evidence/);
    assert.equal(service.calls.at(-1), 'GET /latest/attributor/a%2Fb/attribution');
  });
});

test('an answer that tells of an error, or that nobody can read, is never one that found nothing', async () => {
  const looked = { type: 'NodeAttribution', node: 'node-01', attributions: [] };
  const found = { ...looked, attributions: [{ error_category: 'accelerator_gpu' }] };
  const unknown = { type: 'RackAttribution', node: 'node-04', attributions: [{}] };
  const noList = { ...looked, attributions: { error_category: 'accelerator_gpu' } };
  const stranger = { ...found, node: 'node-99' };
  const cases: readonly (readonly [object, string | null, number])[] = [
    [{ attributions: [], error: 'database is locked' }, 'service_error', 0],
    [{ attributions: [], error: { message: 'no type' } }, 'service_error', 0],
    [{ attributions: [], error: { type: 'gremlins' } }, 'service_error', 0],
    [{ attributions: [], error: {} }, 'service_error', 0],
    [{ attributions: [], error: ['late'] }, 'service_error', 0],
    [{ attributions: [], error: true }, 'service_error', 0],
    [{ attributions: [], error: { type: 'timeout' } }, 'timeout', 0],
    [{ attributions: [], error: { type: 'insufficient_telemetry', message: 7 } }, 'insufficient_telemetry', 0],
    [{ attributions: [unknown, 'node-01', null, noList] }, 'service_error', 0],
    [{ attributions: [stranger] }, 'service_error', 0],
    [{ attributions: [found], error: 'half of the nodes' }, 'service_error', 1],
    [{ attributions: [unknown, looked] }, null, 0],
    [{ attributions: [unknown, found] }, null, 1],
    [{ attributions: [], error: null }, null, 0],
    [{ attributions: [], error: '' }, null, 0],
    [{ attributions: [{ type: 'NodeAttribution', node: 'node-01' }] }, null, 0],
  ];
  let answer: object = {};
  await withFact({ options: { attribute: () => answer } }, async provider => {
    for (const [body, type, findings] of cases) {
      answer = body;
      const { problem, findings: named } = await provider.attribute(suiteRequest(), suiteContext());
      assert.deepEqual([problem?.type ?? null, named.length], [type, findings], JSON.stringify(body));
      if (problem !== null) assert.notEqual(problem.message, '');
      assert.doesNotMatch(problem?.message ?? '', /database|half/);
    }
  });
});

test('the newest lines go first where they do not all fit, and coverage says so', async context => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'kernel'));
  const line = (second: number) =>
    `2026-03-02T10:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}+00:00 node-03 kernel: tick ${second}`;
  const lines = Array.from({ length: 600 }, (_, second) => line(second));
  writeFileSync(join(folder, 'kernel/node-03.log'), `${lines.join('\n')}\n`);
  const flags = { 'provider.fact.bytesPerNode': 1024 };
  await withFact({ flags, folders: [folder] }, async (provider, service) => {
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    const [observation] = service.observations;
    assert.ok(observation);
    const sent = linesOf(observation);
    assert.ok(sent.length > 5 && sent.join('\n').length <= 1024);
    assert.deepEqual(sent, lines.slice(-sent.length));
    assert.equal(statusesOf(outcome, 'kernel')['node-03'], 'truncated');
  });
});

test('creation is sent once, whatever becomes of it', async () => {
  for (const fault of [{ status: 503 }, { status: 422 }, { body: '{}' }, { body: 'no JSON' }]) {
    await withFact({}, async (provider, service) => {
      service.fault('create', fault);
      const outcome = await provider.attribute(suiteRequest(), suiteContext());
      assert.equal(outcome.problem?.type, 'service_error');
      assert.equal(service.calls.filter(call => call === 'POST /latest/attributor').length, 1);
      assert.ok(outcome.coverage.length > 0);
    });
  }
});

test('a refused observation is sent again, and counts as failed where that does not help', async () => {
  await withFact({}, async (provider, service) => {
    service.fault('observe', { status: 503 }, 3);
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    assert.deepEqual(namesOf(outcome), ['node-03']);
    assert.equal(service.observations.length, 5);
  });
  await withFact({ flags: { 'provider.fact.atOnce': 1 } }, async (provider, service) => {
    service.fault('observe', { status: 413 }, 1);
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    assert.equal(service.observations.length, 4);
    assert.equal(outcome.problem, null);
    assert.ok(JSON.stringify(outcome.coverage.map(source => source.groups)).includes('were not accepted'));
  });
});

test('where no observation is accepted, or the answer cannot be read, the service failed', async () => {
  await withFact({}, async (provider, service) => {
    service.fault('observe', { status: 422 });
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    assert.equal(outcome.problem?.type, 'service_error');
    assert.ok(!service.calls.some(call => call.startsWith('GET /latest/attributor')));
  });
  for (const fault of [{ status: 404 }, { body: '[]' }, { body: '{"attributions":{}}' }]) {
    await withFact({}, async (provider, service) => {
      service.fault('read', fault);
      const outcome = await provider.attribute(suiteRequest(), suiteContext());
      assert.equal(outcome.problem?.type, 'service_error');
      assert.deepEqual(outcome.findings, []);
    });
  }
});

test('a deadline that comes while the service is silent is a timeout, a call limit is not', async () => {
  for (const call of ['create', 'observe', 'read'] as const) {
    await withFact({}, async (provider, service) => {
      service.fault(call, { hang: true });
      const soft = AbortSignal.timeout(1_000);
      const outcome = await provider.attribute(suiteRequest(), suiteContext({ soft }));
      assert.equal(outcome.problem?.type, 'timeout', call);
    });
  }
  await withFact({ flags: { 'provider.fact.callTimeoutMs': 50 } }, async (provider, service) => {
    service.fault('read', { hang: true });
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    assert.equal(outcome.problem?.type, 'service_error');
  });
});

test('a job without any readable log is insufficient telemetry', async context => {
  const folder = temporaryFolder(context);
  await withFact({ folders: [folder] }, async provider => {
    const outcome = await provider.attribute(suiteRequest(), suiteContext());
    assert.equal(outcome.problem?.type, 'insufficient_telemetry');
  });
});

test('nothing answering stops start-up, unless it need not be there yet', async () => {
  const gone = await fakeFactService();
  await gone.close();
  const flags = flagsFor(gone);
  await assert.rejects(openConfigured({ flags, folders: [evidence] }), {
    name: StartupError.name,
    message:
      /^provider\.fact\.url: the FACT service at http:\/\/127\.0\.0\.1:\d+\/latest refused the connection[^\n]*$/,
  });
  const relaxed = { ...flags, 'provider.fact.requireReachable': false };
  const provider = await openConfigured({ flags: relaxed, folders: [evidence] });
  const outcome = await provider.attribute(suiteRequest(), suiteContext());
  await provider.close?.();
  assert.equal(outcome.problem?.type, 'service_error');
});

test('a service that goes away later is a service error, told well within the deadline', async () => {
  await withFact({}, async (provider, service) => {
    await service.close();
    const began = performance.now();
    const outcome = await provider.attribute(suiteRequest({ timeoutMs: 60_000 }), suiteContext());
    assert.equal(outcome.problem?.type, 'service_error');
    assert.match(outcome.problem?.message ?? '', /the FACT service/);
    assert.ok(performance.now() - began < 30_000);
    const state = await provider.state?.(AbortSignal.timeout(2_000));
    assert.deepEqual([state?.works, state?.sources.map(({ works }) => works)], [false, [true]]);
  });
});

const slowCase = join(checkout, 'cases/epilog-finds-a-dead-gpu');

test('a slow request submits what the epilog said beside what was read before, as a failure of its own', async () => {
  const folder = await readCaseFolder(slowCase);
  const slow = folder.slow;
  assert.ok(slow !== null);
  const parsed = parseRequest(slow.request, 'application/json', { naiveDatetimes: 'refuse', echoInput: true });
  assert.ok(parsed.ok);
  await withFact({ folders: slow.evidence }, async (provider, service) => {
    const context = { ...suiteContext(), now: folder.now };
    const outcome = await provider.attribute(parsed.request, context);
    const apps = new Set(
      service.observations.flatMap(({ streams }) => streams.map(({ stream }) => stream['app'])),
    );
    assert.ok(apps.has('health') && apps.has('dmesg'), [...apps].join());
    assert.equal(service.created.length, 1);
    assert.ok(outcome.coverage.some(({ origin, lines }) => origin === 'health' && lines > 0));
  });
});

test('a slow request without an epilog log says so, whatever the service answers', async () => {
  await withFact({}, async provider => {
    const detected = suiteRequest().failureContext.detectedAt;
    const scope = { ...suiteRequest().scope, startTime: detected, endTime: detected + 60_000_000_000n };
    const outcome = await provider.attribute(suiteRequest({ phase: 'slow', scope }), suiteContext());
    assert.equal(outcome.problem?.type, 'insufficient_telemetry');
    assert.deepEqual(namesOf(outcome), ['node-03']);
  });
});

test('rows of scheduler tables go as the lines that state them, each once', async () => {
  await withFact({}, async (provider, service) => {
    await provider.attribute(suiteRequest(), suiteContext());
    const rows = service.observations.flatMap(({ streams }) =>
      streams
        .filter(({ stream }) => stream['app'] === 'scheduler')
        .flatMap(({ stream, values }) => values.map(([, entry]) => [stream['hostname'], entry] as const)),
    );
    const tables = ['nodes.txt', 'sacct.txt']
      .map(name => readFileSync(join(evidence, 'scheduler', name), 'utf8'))
      .join('\n');
    const states = rows
      .filter(([host]) => host === 'node-01')
      .map(([, entry]) => (JSON.parse(entry) as { body: string }).body);
    assert.ok(states.length > 0);
    assert.equal(new Set(states).size, states.length);
    for (const word of states.flatMap(body => body.split(' '))) assert.ok(tables.includes(word), word);
  });
});
