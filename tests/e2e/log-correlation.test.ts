import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post } from '../conformance/example.ts';
import { temporaryFolder } from '../support/service.ts';
import { excerpt, startTracedService, userId } from '../support/traced-service.ts';

const traceOf = (at: number): string => `0af7651916cd43dd8448eb211c80319${at}`;

test('every line of a run is structured and names its request and trace; none quotes evidence or who asked', async context => {
  const traced = await startTracedService(temporaryFolder(context), {}, { log: { level: 'debug' } });
  context.after(() => traced.close());
  const { url } = traced.service;
  const ask = (at: number, change: object = {}) =>
    post(
      url,
      { ...traced.request, ...change },
      { traceparent: `00-${traceOf(at)}-b7ad6b7169203331-01`, tracestate: `caller=${userId}` },
    );
  const good = await ask(1);
  assert.equal(good.body.attributions.length, 1);
  const unknown = await ask(2, { schema_version: '9', continue_session: `of-${userId}` });
  const refused = await ask(3, { phase: 'soon' });
  assert.equal(refused.status, 422);
  await traced.loki.breakDown('500');
  // A source that fails is left alone after some failures: its own lines belong to the request that asked it.
  const broken = [await ask(4, { timeout_ms: 29_000 }), await ask(5, { timeout_ms: 28_000 })];
  await traced.service.stop();

  const lines = traced.service.stderr().trimEnd().split('\n');
  const read = lines.map(line => JSON.parse(line) as Readonly<Record<string, unknown>>);
  for (const [at, { level, time, msg }] of read.entries()) {
    assert.ok(['debug', 'info', 'warn', 'error'].includes(String(level)), lines[at]);
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(typeof msg, 'string');
  }
  const idle = ['listening', 'ending: no new requests'];
  const working = read.filter(({ msg }) => !idle.includes(String(msg)));
  const idOf = new Map(
    [good, unknown, ...broken].map(({ body }, at) => [body.request_id, traceOf([1, 2, 4, 5][at] ?? 0)]),
  );
  for (const { request_id: request, trace_id: trace, msg } of working) {
    if (msg === 'request refused') assert.equal(trace, traceOf(3));
    else assert.equal(trace, idOf.get(String(request)), `${msg}`);
  }
  for (const said of [
    'this source keeps failing and is left alone for a while',
    'session unknown: a new one is opened',
  ]) {
    assert.ok(
      working.some(({ msg }) => msg === said),
      said,
    );
  }
  for (const request of idOf.keys()) {
    const answered = working.filter(
      line => line['request_id'] === request && line['msg'] === 'attribution answered',
    );
    assert.equal(answered.length, 1);
  }
  for (const secret of [excerpt, userId, 'NVRM', 'python3', 'node-0']) {
    assert.ok(!traced.service.stderr().includes(secret), secret);
  }
  // No member is written twice, which some readers refuse.
  for (const line of lines)
    assert.equal(line.split('"request_id":').length <= 2 && line.split('"trace_id":').length <= 2, true);
});
