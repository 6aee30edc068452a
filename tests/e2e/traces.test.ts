import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { caseFolder, post } from '../conformance/example.ts';
import { fakeFactService } from '../support/fakes/fact-service.ts';
import { freePort } from '../support/free-port.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startService, temporaryFolder } from '../support/service.ts';
import { excerpt, startTracedService, type TracedService, userId } from '../support/traced-service.ts';

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-01`, tracestate: 'vendor=1' };

async function start(context: TestContext, env: Readonly<Record<string, string>>): Promise<TracedService> {
  const traced = await startTracedService(temporaryFolder(context), env);
  context.after(() => traced.close());
  return traced;
}

async function receiver(context: TestContext, options: { hangs?: boolean } = {}): Promise<OtlpReceiver> {
  const opened = await startOtlpReceiver(options);
  context.after(() => opened.close());
  return opened;
}

/** Names from the span up to the beginning of the trace or to the caller's span. */
function pathOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined
    ? `${span.parentSpanId === caller.spanId ? 'caller' : span.parentSpanId} > ${span.name}`
    : `${pathOf(parent, spans)} > ${span.name}`;
}

test('one trace leads from the caller through adapter, sources and engine to what the sources are asked', async context => {
  const otlp = await receiver(context);
  const traced = await start(context, {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-scope-orgid=traces',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'attribution-of-a',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const { status, body } = await post(traced.service.url, traced.request, headers);
  assert.equal(status, 200);
  assert.equal(body.attributions[0]?.target.node, 'node-03');
  const refused = await post(traced.service.url, '{}', headers);
  assert.equal(refused.status, 422);
  await traced.service.stop();

  const { spans } = otlp;
  assert.deepEqual(new Set(spans.map(({ traceId }) => traceId)), new Set([caller.traceId]));
  assert.ok(spans.every(({ traceState }) => traceState === 'vendor=1'));
  const attribute = 'caller > POST /v1/attribution > attribute';
  assert.deepEqual(
    new Set(spans.map(span => pathOf(span, spans))),
    new Set([
      'caller > POST /v1/attribution',
      'caller > POST /v1/attribution > validate',
      attribute,
      `${attribute} > join session`,
      `${attribute} > wait for turn`,
      `${attribute} > provider`,
      `${attribute} > provider > locate`,
      `${attribute} > provider > locate > locate in source`,
      `${attribute} > provider > locate > locate in source > GET`,
      `${attribute} > provider > collect`,
      `${attribute} > provider > collect > collect source`,
      `${attribute} > provider > collect > collect source > GET`,
      `${attribute} > provider > recognize`,
      `${attribute} > provider > read history`,
      `${attribute} > provider > reason`,
      `${attribute} > provider > reckon changes`,
      `${attribute} > respond`,
      `${attribute} > store session`,
      `${attribute} > store answer`,
      `${attribute} > store history`,
    ]),
  );
  const served = spans.filter(({ name }) => name === 'POST /v1/attribution');
  assert.deepEqual(
    served.map(({ kind, attributes }) => [kind, attributes['http.response.status_code']]).sort(),
    [
      [2, 200],
      [2, 422],
    ],
  );

  const asked = [...traced.loki.requests, ...traced.slurm.requests].filter(
    ({ path }) => !path.includes('push'),
  );
  const client = new Map(spans.filter(({ kind }) => kind === 3).map(span => [span.spanId, span]));
  assert.equal(asked.length, client.size);
  for (const request of asked) {
    const [version, traceId, spanId = '', flags] = String(request.headers['traceparent']).split('-');
    assert.deepEqual([version, traceId, flags], ['00', caller.traceId, '01']);
    assert.equal(client.get(spanId)?.attributes['http.response.status_code'], 200);
    assert.equal(request.headers['tracestate'], 'vendor=1');
  }

  assert.ok(otlp.requests.every(request => request.path === '/v1/traces'));
  assert.ok(otlp.requests.every(request => request.headers['x-scope-orgid'] === 'traces'));
  const resource = spans[0]?.resource ?? {};
  assert.equal(resource['service.name'], 'attribution-of-a');
  assert.equal(resource['deployment.environment.name'], 'test');
  assert.match(String(resource['service.version']), /^\d+\.\d+\.\d+/);
  // Neither what was read, nor who asked, nor which nodes there are.
  const told = JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]));
  for (const secret of [excerpt, userId, 'node-0', '9b:00']) assert.ok(!told.includes(secret), secret);
});

test('a remote FACT service is asked inside the trace as well', async context => {
  const otlp = await receiver(context);
  const remote = await fakeFactService();
  context.after(() => remote.close());
  const service = await startService(
    ['--evidence', join(caseFolder, 'evidence'), '--state', temporaryFolder(context)],
    {
      ATTRIBUTION_PROVIDER_KIND: 'fact',
      ATTRIBUTION_PROVIDER_FACT_URL: remote.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
  );
  context.after(() => service.kill());
  // Whether it can be reached was asked at the start, outside of any request.
  const before = remote.calls.length;
  assert.ok(before > 0 && remote.traceparents.every(traceparent => traceparent === ''));
  const { body } = await post(service.url, readFileSync(join(caseFolder, 'request.json'), 'utf8'), headers);
  assert.equal(body.attributions[0]?.target.node, 'node-03');
  await service.stop();
  const calls = otlp.spans.filter(({ kind }) => kind === 3);
  const sent = remote.traceparents.slice(before);
  assert.ok(sent.length >= 3);
  assert.deepEqual(sent.toSorted(), calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).sort());
  for (const span of calls) {
    assert.equal(
      pathOf(span, otlp.spans),
      `caller > POST /v1/attribution > attribute > provider > ${span.name}`,
    );
  }
});

test('protobuf is the usual protocol, and a caller that does not keep its trace is followed', async context => {
  const otlp = await receiver(context);
  const traced = await start(context, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${otlp.url}/take/them/here` });
  const unsampled = { traceparent: `00-${caller.traceId}-${caller.spanId}-00` };
  assert.equal((await post(traced.service.url, traced.request, unsampled)).status, 200);
  for (const { headers: sent } of traced.slurm.requests) {
    assert.match(String(sent['traceparent']), new RegExp(`^00-${caller.traceId}-[0-9a-f]{16}-00$`));
  }
  assert.equal(otlp.requests.length, 0);
  assert.equal((await post(traced.service.url, traced.request, headers)).status, 200);
  await traced.service.stop();
  assert.deepEqual(
    new Set(otlp.requests.map(request => `${request.path} ${request.headers['content-type']}`)),
    new Set(['/take/them/here application/x-protobuf']),
  );
});

test('without the variables nothing is sent, and sources get the headers as the caller sent them', async context => {
  const otlp = await receiver(context);
  const traced = await start(context, {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_SDK_DISABLED: 'true',
  });
  assert.equal((await post(traced.service.url, traced.request, headers)).status, 200);
  assert.ok(traced.slurm.requests.length > 0);
  for (const { headers: sent } of traced.slurm.requests) {
    assert.deepEqual({ traceparent: sent['traceparent'], tracestate: sent['tracestate'] }, headers);
  }
  await traced.service.stop();
  assert.equal(otlp.requests.length, 0);
});

test('a receiver that is gone or never answers delays no answer, and the end by two seconds at most', async context => {
  const silent = await receiver(context, { hangs: true });
  const gone = `http://127.0.0.1:${await freePort()}`;
  for (const url of [silent.url, gone]) {
    const traced = await start(context, {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_EXPORTER_OTLP_TIMEOUT: url === gone ? '500' : '10000',
    });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        post(traced.service.url, { ...traced.request, timeout_ms: 20_000 + at }, headers),
      ),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 200);
      assert.deepEqual([body.error, body.attributions.length], [null, 1]);
    }
    const began = performance.now();
    assert.equal(await traced.service.stop(), 0);
    // The flush is given two seconds; the rest is for a slow machine, and well below the exporter's ten.
    assert.ok(performance.now() - began < 6_000);
    if (url === gone) {
      const said = traced.service
        .stderr()
        .split('\n')
        .filter(line => line.includes('traces do not reach'));
      assert.equal(said.length, 1);
      assert.ok(!said.join('').includes('127.0.0.1'));
    }
  }
});
