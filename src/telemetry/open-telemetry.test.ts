import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOtlpReceiver } from '../../tests/support/otlp-receiver.ts';
import { rememberedLog } from '../../tests/support/remembered-log.ts';
import { openTelemetry } from './open-telemetry.ts';

const usual = { sampler: 'always_on', parentBased: true, ratio: 1 } as const;
const batch = { maxQueueSize: 200, maxExportBatchSize: 100 };

/** The exporter reads the address itself. */
async function openAt(url: string) {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
  const log = rememberedLog();
  const settings = { protocol: 'http/json', sampling: usual, batch } as const;
  return { log, recorder: await openTelemetry(settings, { log, packageVersion: '1.2.3' }) };
}

test('more spans than can be sent are dropped, so that what waits is bounded', async () => {
  const receiver = await startOtlpReceiver();
  const { recorder } = await openAt(receiver.url);
  for (let at = 0; at < 10_000; at += 1) recorder.begin('step', {}, null).end();
  await recorder.close();
  await receiver.close();
  assert.ok(receiver.spans.length >= 200 && receiver.spans.length <= 400, `${receiver.spans.length} sent`);
});

test("a span has the trace of its parent, the caller's state, its kind, and its failure in a word", async () => {
  const receiver = await startOtlpReceiver();
  const { recorder, log } = await openAt(receiver.url);
  const caller = {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=1,other=2',
  };
  const above = recorder.begin('above', { kind: 'server', attributes: { 'a.b': 1 } }, caller);
  const below = recorder.begin('below', { kind: 'client' }, above);
  assert.match(below.headers['traceparent'] ?? '', /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  assert.equal(below.headers['tracestate'], caller.tracestate);
  below.set({ 'c.d': 'x'.repeat(2_000) });
  below.fail('timed_out');
  below.end();
  below.end();
  above.end();
  await recorder.close();
  await receiver.close();
  const [first, second, ...more] = receiver.spans;
  assert.equal(more.length, 0);
  assert.deepEqual(
    [first?.name, first?.kind, first?.parentSpanId, first?.failed, first?.attributes['error.type']],
    ['below', 3, second?.spanId, true, 'timed_out'],
  );
  assert.equal(String(first?.attributes['c.d']).length, 512);
  assert.deepEqual(
    [second?.name, second?.kind, second?.parentSpanId, second?.traceId, second?.attributes['a.b']],
    ['above', 2, 'b7ad6b7169203331', '0af7651916cd43dd8448eb211c80319c', 1],
  );
  assert.equal(second?.resource['service.version'], '1.2.3');
  assert.equal(log.lines.length, 0);
});
