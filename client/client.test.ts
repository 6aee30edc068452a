import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { renderResponse } from '../src/contract/index.ts';
import { createAttributionClient, failureRequest } from './index.ts';

const request = failureRequest({
  workloadId: '12345',
  workflowId: 'training-example',
  attemptIndex: 0,
  nodes: ['worker-01'],
  detectedAt: new Date('2026-09-09T12:00:00Z'),
  detectionSignal: 'crash',
  timeoutMs: 60_000,
});

const answer = {
  serviceId: 'attribution-adapter',
  serviceVersion: '0.1.0',
  requestId: 'r-1',
  attributionSessionId: 's-1',
  attributions: [
    {
      target: { type: 'Node', node: 'worker-01' },
      category: 'accelerator_gpu',
      observedAt: 1_788_955_200_000_000_000n,
      confidence: null,
      evidence: [],
    },
  ],
  unattributedTargets: [],
  error: null,
} as const;

/** A server of the test's own; the base address is handed to `run`. */
async function withServer(listener: RequestListener, run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function answering(status: number, body: string): RequestListener {
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

async function errorType(status: number, body: string): Promise<string | undefined> {
  let type: string | undefined;
  await withServer(answering(status, body), async url => {
    type = (await createAttributionClient({ mode: 'on', url }).attribute(request)).error?.type;
  });
  return type;
}

test('an answer without error has its findings, its session and who answered', async () => {
  await withServer(answering(200, renderResponse(answer)), async url => {
    const result = await createAttributionClient({ mode: 'on', url: `${url}/` }).attribute(request);
    assert.ok(result.error === null);
    assert.deepEqual(result.attributions, answer.attributions);
    assert.equal(result.attributionSessionId, 's-1');
    assert.equal(result.answeredBy?.serviceId, 'attribution-adapter');
  });
});

test('an answer with an error has no list to read first, and keeps what was found apart', async () => {
  const error = { type: 'timeout', message: 'the deadline was spent' } as const;
  await withServer(answering(200, renderResponse({ ...answer, error })), async url => {
    const result = await createAttributionClient({ mode: 'on', url }).attribute(request);
    assert.ok(result.error !== null);
    assert.deepEqual(result.error, { ...error, status: null });
    assert.ok(!('attributions' in result));
    assert.deepEqual(result.believed.attributions, answer.attributions);
  });
});

test('the list cannot be read before the error', async () => {
  await withServer(answering(200, renderResponse(answer)), async url => {
    const result = await createAttributionClient({ mode: 'on', url }).attribute(request);
    // @ts-expect-error: only a result without error has attributions
    assert.equal(result.attributions.length, 1);
  });
});

test('the request goes to the route of the contract, with valid trace headers alone', async () => {
  const seen: IncomingMessage[] = [];
  const listener: RequestListener = (message, response) => {
    seen.push(message);
    response.end(renderResponse(answer));
  };
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await withServer(listener, async url => {
    const client = createAttributionClient({ mode: 'on', url: `${url}/proxy` });
    await client.attribute(request, { traceparent, tracestate: 'vendor=1' });
    await client.attribute(request, { traceparent: 'not one', tracestate: 'vendor=1' });
  });
  assert.deepEqual(
    seen.map(({ method, url }) => `${method} ${url}`),
    ['POST /proxy/v1/attribution', 'POST /proxy/v1/attribution'],
  );
  assert.equal(seen[0]?.headers['traceparent'], traceparent);
  assert.equal(seen[0]?.headers['tracestate'], 'vendor=1');
  assert.equal(seen[1]?.headers['traceparent'], undefined);
  assert.equal(seen[1]?.headers['tracestate'], undefined);
});

test('a refused request says what is wrong and where, and quotes no value', async () => {
  const detail = [
    { type: 'missing', loc: ['body', 'phase'], msg: 'Field required', input: { secret: 'x1y2' } },
  ];
  await withServer(answering(422, JSON.stringify({ detail })), async url => {
    const { error } = await createAttributionClient({ mode: 'on', url }).attribute(request);
    assert.deepEqual(error, {
      type: 'request_refused',
      message: 'body.phase: Field required',
      status: 422,
    });
  });
});

test('other statuses, redirects and bodies that are no answer are errors of the call', async () => {
  assert.equal(await errorType(500, 'Internal Server Error'), 'unexpected_status');
  assert.equal(await errorType(404, '{"detail":"Not Found"}'), 'unexpected_status');
  assert.equal(await errorType(307, ''), 'unexpected_status');
  assert.equal(await errorType(200, '<html></html>'), 'unreadable_answer');
  assert.equal(await errorType(200, '{"attributions":[{"node":"worker-01"}]}'), 'unreadable_answer');
});

test('a body longer than any answer is not read to its end', async () => {
  const listener: RequestListener = (_, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    response.writeHead(200);
    more();
  };
  await withServer(listener, async url => {
    const { error } = await createAttributionClient({ mode: 'on', url }).attribute(request);
    assert.equal(error?.type, 'unreadable_answer');
  });
});

test('nobody listening is an error of the call, not an exception', async () => {
  let closed = '';
  await withServer(answering(200, ''), async url => {
    closed = url;
  });
  const { error } = await createAttributionClient({ mode: 'on', url: closed }).attribute(request);
  assert.equal(error?.type, 'unreachable');
});

test('a call ends with its deadline and when its caller gives up, even if the transport does not', async () => {
  const send = () => new Promise<Response>(() => {});
  const client = createAttributionClient({ mode: 'on', url: 'http://127.0.0.1:1', graceMs: 1, send });
  const late = await client.attribute({ ...request, timeoutMs: 1 });
  assert.equal(late.error?.type, 'call_timeout');
  const aborted = await client.attribute(request, { signal: AbortSignal.abort() });
  assert.equal(aborted.error?.type, 'aborted');
  const leaving = new AbortController();
  const pending = client.attribute(request, { signal: leaving.signal });
  leaving.abort();
  assert.equal((await pending).error?.type, 'aborted');
});

test('an address that is none of HTTP is a mistake of the program', () => {
  for (const url of ['', 'adapter:8000', 'ftp://adapter', 'http://user@adapter', 'http://adapter/?a=1']) {
    assert.throws(() => createAttributionClient({ mode: 'on', url }), TypeError);
  }
});
