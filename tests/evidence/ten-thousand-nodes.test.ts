import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAdapter } from '../../src/app/adapter.ts';
import { openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import type { SourceCoverage } from '../../src/core/coverage.ts';
import { minute, second } from '../../src/core/time.ts';
import { attributeFailure } from '../../src/providers/rules/attribute.ts';
import { createRulesProvider } from '../../src/providers/rules/rules-provider.ts';
import { startFakeLoki } from '../support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../support/fakes/loki-under-test.ts';
import { collectLines, machineClock, planFor } from '../support/log-lines.ts';
import type { LoggedLine } from '../support/log-store-suite.ts';
import { sampleRequest } from '../support/sample-request.ts';
import { silentLog } from '../support/silent-log.ts';

const moment = 1_796_126_400n * second;
const window = { from: moment - 15n * minute, to: moment + 2n * minute };
const nodes = Array.from({ length: 10_000 }, (_, index) => `node-${String(index + 1).padStart(5, '0')}`);
const bad = 'node-04217';
const timeoutMs = 10_000;
const delayMs = 150;
const slackMs = 2000;
/** Longer than any machine needs. */
const busyMs = 120_000;

/** Quiet nodes, a few lines on each that the filter lets pass and no rule takes for a fault, and one bad node. */
function clusterLines(): readonly LoggedLine[] {
  const of = (node: string, offset: bigint, line: string): LoggedLine => ({
    origin: 'kernel',
    node,
    nanos: window.from + offset,
    line,
  });
  const quiet = nodes.flatMap((node, index) => [
    of(node, BigInt(index) * 1_000_000n, 'systemd[1]: Started Session of User user1.'),
    of(node, minute + BigInt(index) * 1_000_000n, 'IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready'),
    ...[2n, 5n, 9n].map(at => of(node, at * minute + BigInt(index) * 7_000_000n, 'md0: check in progress')),
  ]);
  const xid = 'NVRM: Xid (PCI:0000:b3:00): 79, pid=4711, name=python, GPU has fallen off the bus.';
  return [...quiet, of(bad, 14n * minute, xid)];
}

test('ten thousand nodes are read within ten seconds, and the bad one is named', async t => {
  const server = await startFakeLoki({
    delayMs,
    promptOn: /push$/,
    atOnce: 16,
    mostEntries: 5000,
    mostSeries: 500,
    queryBytes: 5120,
  });
  await pushToLoki(server.url, 'a', clusterLines());
  const pushed = server.requests.length;
  const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 2 } });
  const engine = openEngine(settings, await openCorpus());
  const source = lokiSource(server.url, { matchers: '{cluster="a"}', epilog: false });
  const parts = reasoningOver(settings, engine, [source], { log: silentLog });
  const request = sampleRequest({
    scope: { nodes, ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt: moment, detectionSignal: 'crash' },
    timeoutMs,
  });
  const scope = {
    windows: [window],
    epilogWindow: null,
    notYet: null,
    only: null,
    everything: false,
    moment,
  };
  const soft = AbortSignal.timeout(busyMs);
  const turnsBefore = server.most.inTurn;
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const { outcome } = await attributeFailure(
    parts,
    request,
    scope,
    { symptoms: [], coverage: [] },
    { soft, report: () => {}, now: window.to },
  );
  const took = performance.now() - began;
  const cpu = process.cpuUsage(cpuBefore);
  // Work and waiting one after the other, however busy the machine is with other things.
  const neededMs = (cpu.user + cpu.system) / 1000 + (server.most.inTurn - turnsBefore) * delayMs;
  await engine.pool.close();
  await source.close?.();
  await server.close();

  const queries = server.requests.slice(pushed);
  const longest = Math.max(
    ...queries.map(({ parameters }) => Buffer.byteLength(parameters.get('query') ?? '')),
  );
  t.diagnostic(
    `${Math.round(took)} ms, ${Math.round(neededMs)} of them needed, ${queries.length} queries, ${server.sentBytes} bytes, longest query ${longest} bytes, ` +
      `at most ${server.most.atOnce} at once`,
  );
  assert.ok(neededMs < timeoutMs * 0.9);
  assert.ok(longest < 5000);
  assert.ok(completeNodes(outcome.coverage) >= 9900);
  assert.deepEqual(
    outcome.findings.map(finding => finding.target),
    [{ type: 'Node', node: bad }],
  );
});

test('an answer about ten thousand nodes comes by its deadline, however busy the machine is', async t => {
  const server = await startFakeLoki({
    delayMs,
    promptOn: /push$/,
    atOnce: 16,
    mostSeries: 500,
    queryBytes: 5120,
  });
  await pushToLoki(server.url, 'a', clusterLines());
  const flags = { 'rules.workers': 2, 'sessions.store': 'memory' };
  const { settings } = readSettings({ file: null, environment: {}, flags });
  const engine = openEngine(settings, await openCorpus());
  const source = lokiSource(server.url, { matchers: '{cluster="a"}', epilog: false });
  const surroundings = {
    clock: { ...machineClock, now: () => window.to },
    log: silentLog,
    packageVersion: '0.0.0',
  };
  const provider = createRulesProvider(reasoningOver(settings, engine, [source], surroundings));
  const open = await openAdapter(settings, provider, surroundings);
  for (const given of [timeoutMs, 1500]) {
    const request = sampleRequest({
      scope: { nodes, ranks: [], startTime: null, endTime: null },
      failureContext: { detectedAt: moment, detectionSignal: 'crash' },
      timeoutMs: given,
    });
    const began = performance.now();
    const { attributions, error } = await open.adapter.attribute(request, {
      caller: null,
      traceparent: null,
      tracestate: null,
    });
    const took = performance.now() - began;
    t.diagnostic(`${given} ms given, ${Math.round(took)} ms taken, error ${error?.type ?? null}`);
    assert.ok(took < given + slackMs, `${took} ms`);
    // Whatever was read by then: the bad node, or nobody and the reason.
    const named = attributions.map(({ target }) => target);
    if (error === null) assert.deepEqual(named, [{ type: 'Node', node: bad }]);
    else {
      assert.equal(error.type, 'timeout');
      assert.ok(named.every(target => target.type === 'Node' && target.node === bad));
    }
  }
  await open.close();
  await engine.pool.close();
  await source.close?.();
  await server.close();
});

function completeNodes(coverage: readonly SourceCoverage[]): number {
  return coverage
    .filter(({ origin }) => origin === 'kernel')
    .flatMap(({ groups }) => groups)
    .filter(({ status }) => status === 'complete')
    .reduce((sum, { count }) => sum + count, 0);
}

test('cut in the middle of reading ten thousand nodes, it still tells what was not read', async () => {
  const server = await startFakeLoki({ delayMs: 150, promptOn: /push$/, mostSeries: 500 });
  await pushToLoki(server.url, 'a', clusterLines());
  const source = lokiSource(server.url, { matchers: '{cluster="a"}', epilog: false, job: false });
  for (const cutMs of [100, 400, 900]) {
    const began = performance.now();
    const plan = planFor(nodes, window, { cover: { kernel: ['md0'] } });
    const { coverage } = await collectLines(source, plan, AbortSignal.timeout(cutMs));
    assert.ok(performance.now() - began < cutMs + slackMs);
    const [entry] = coverage;
    const counted = (entry?.groups ?? []).reduce((sum, { count }) => sum + count, 0);
    assert.equal(counted, nodes.length);
    assert.ok(entry?.groups.some(({ status }) => status === 'timed_out'));
  }
  await source.close?.();
  await server.close();
});
