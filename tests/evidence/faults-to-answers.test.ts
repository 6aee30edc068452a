import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Engine, openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { minute, second } from '../../src/core/time.ts';
import { attributeFailure } from '../../src/providers/rules/attribute.ts';
import { type TransportFault, transportFaults } from '../support/fakes/fake-server.ts';
import { type LokiContentFault, lokiContentFaults, startFakeLoki } from '../support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../support/fakes/loki-under-test.ts';
import type { LoggedLine } from '../support/log-store-suite.ts';
import { sampleRequest } from '../support/sample-request.ts';
import { silentLog } from '../support/silent-log.ts';

const moment = 1_796_126_400n * second;
const window = { from: moment - 15n * minute, to: moment + 2n * minute };
const nodes = ['node-01', 'node-02', 'node-03'];
const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 0 } });

let engine: Engine;
before(async () => {
  engine = openEngine(settings, await openCorpus());
});
after(() => engine.pool.close());

const kernel = (node: string, offset: bigint, line: string): LoggedLine => ({
  origin: 'kernel',
  node,
  nanos: moment + offset,
  line,
});
/** A fault that would be named if its line were read. */
const xid = kernel('node-02', -minute, 'NVRM: Xid (PCI:0000:b3:00): 79, pid=1, GPU has fallen off the bus.');
const quiet = nodes.map(node => kernel(node, -2n * minute, 'usb 1-1: new device'));

async function answerTo(fault: { transport?: TransportFault; content?: LokiContentFault }) {
  const { transport, content } = fault;
  const atStart = transport === 'expired certificate';
  const server = await startFakeLoki({
    content: content ?? null,
    fault: atStart ? transport : null,
    floodBytes: 2_000_000,
  });
  if (!atStart) await pushToLoki(server.url, 'a', [...quiet, xid]);
  if (transport !== undefined && !atStart) await server.breakDown(transport);
  const source = lokiSource(server.url, {
    matchers: '{cluster="a"}',
    timeoutMs: transport === 'one byte a second' ? 500 : 60_000,
    retries: 1,
    answerBytes: 200_000,
    expandedBytes: 200_000,
  });
  const parts = reasoningOver(settings, engine, [source], { log: silentLog });
  const request = sampleRequest({
    scope: { nodes, ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt: moment, detectionSignal: 'crash' },
  });
  const scope = { windows: [window], epilogWindow: null, notYet: null, only: null, everything: false, moment };
  const context = { soft: new AbortController().signal, report: () => {}, now: window.to };
  const { outcome } = await attributeFailure(parts, request, scope, { symptoms: [], coverage: [] }, context);
  await source.close?.();
  await server.close();
  return {
    named: outcome.findings.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : [])),
    error: outcome.problem?.type ?? null,
  };
}

test('without a fault the node is named', async () => {
  assert.deepEqual(await answerTo({}), { named: ['node-02'], error: null });
});

for (const transport of transportFaults) {
  test(`${transport}: nobody is named, and telemetry is insufficient`, async () => {
    assert.deepEqual(await answerTo({ transport }), { named: [], error: 'insufficient_telemetry' });
  });
}

const lossless: readonly LokiContentFault[] = ['duplicate streams', 'out-of-order page'];
for (const content of lokiContentFaults) {
  test(`${content}: no node is named that was not seen to fail`, async () => {
    const { named, error } = await answerTo({ content });
    assert.ok(named.every(node => node === 'node-02'));
    if (lossless.includes(content)) assert.deepEqual(named, ['node-02']);
    else if (content !== 'clock five minutes off')
      assert.deepEqual({ named, error }, { named: [], error: 'insufficient_telemetry' });
  });
}
