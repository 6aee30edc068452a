import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { adapterUnderTest, finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { exampleBody, exampleRequest } from '../../tests/support/example-body.ts';
import { exchange, exchangeOne, requestText, responsesIn } from '../../tests/support/raw-http.ts';
import type { RememberedLog } from '../../tests/support/remembered-log.ts';
import type { NetworkAddress } from './listen-address.ts';
import { createPublicServer, defaultPublicServerSettings, type PublicServer } from './public-server.ts';

let server: PublicServer;
let address: NetworkAddress;
let log: RememberedLog;

before(async () => {
  const tested = adapterUnderTest(async () => outcome({ findings: [finding()] }));
  log = tested.log;
  server = createPublicServer({
    adapter: async () => tested.adapter,
    log,
    settings: defaultPublicServerSettings,
  });
  address = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
});
after(() => server.close());

function post(body: string, headers: Readonly<Record<string, string>> = {}) {
  const all = {
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
    ...headers,
  };
  return exchangeOne(address, requestText('POST /v1/attribution', all, body));
}

describe('what is served', () => {
  test('the example request is answered', async () => {
    const { status, headers, body } = await post(exampleBody);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json');
    const answer = JSON.parse(body) as Record<string, unknown>;
    assert.equal(answer['schema_version'], '0.1.0');
    assert.equal(answer['error'], null);
    assert.equal(typeof answer['attribution_session_id'], 'string');
  });

  test('health is ok', async () => {
    const { status, headers, body } = await exchangeOne(address, requestText('GET /healthz'));
    assert.deepEqual([status, headers['content-type'], body], [200, 'application/json', '{"status":"ok"}']);
  });

  test('the document is JSON, by HEAD as well', async () => {
    const document = await exchangeOne(address, requestText('GET /openapi.json'));
    assert.equal(document.headers['content-type'], 'application/json');
    assert.equal((JSON.parse(document.body) as { openapi: string }).openapi, '3.1.0');
    const head = await exchange(address, requestText('HEAD /openapi.json'));
    assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(document.body)}\r\n`));
    assert.ok(head.endsWith('\r\n\r\n'));
  });

  test('a path may be percent-encoded or absolute, and a query is ignored', async () => {
    for (const target of ['/%68ealthz', 'http://adapter.example:8000/healthz', '/healthz?a=/b/']) {
      assert.equal((await exchangeOne(address, requestText(`GET ${target}`))).status, 200, target);
    }
  });

  test('a connection is kept and reused', async () => {
    const keep = requestText('GET /healthz', { connection: 'keep-alive' });
    const responses = responsesIn(await exchange(address, keep + requestText('GET /healthz')));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200],
    );
  });

  test('a body without content type, or in chunks, is read', async () => {
    const bare = { 'content-length': `${exampleBody.length}` };
    assert.equal(
      (await exchangeOne(address, requestText('POST /v1/attribution', bare, exampleBody))).status,
      200,
    );
    const chunked = `${exampleBody.length.toString(16)}\r\n${exampleBody}\r\n0\r\n\r\n`;
    const text = requestText('POST /v1/attribution', { 'transfer-encoding': 'chunked' }, chunked);
    assert.equal((await exchangeOne(address, text)).status, 200);
  });

  test('the trace of a valid traceparent is in the log, and nothing else of the headers', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await post(exampleBody, { traceparent, tracestate: 'vendor=1' });
    const answered = () => log.lines.filter(line => line.message === 'attribution answered').at(-1)?.fields;
    assert.equal(answered()?.['trace_id'], '0af7651916cd43dd8448eb211c80319c');
    assert.equal(answered()?.['tracestate'], undefined);
    const huge = await post(exampleBody, { traceparent: 'x'.repeat(30_000), tracestate: 'a=b' });
    assert.equal(huge.status, 200);
    assert.equal(answered()?.['trace_id'], undefined);
  });
});

describe('wrong bodies', () => {
  test('a wrong shape is a 422 with its errors', async () => {
    const { status, headers, body } = await post(JSON.stringify({ ...exampleRequest, phase: 'FAST' }));
    assert.deepEqual([status, headers['content-type']], [422, 'application/json']);
    assert.deepEqual(JSON.parse(body), {
      detail: [
        {
          type: 'enum',
          loc: ['body', 'phase'],
          msg: "Input should be 'fast' or 'slow'",
          input: 'FAST',
          ctx: { expected: "'fast' or 'slow'" },
        },
      ],
    });
  });

  test('no body is a missing field', async () => {
    const expected = '{"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]}';
    assert.equal((await exchangeOne(address, requestText('POST /v1/attribution'))).body, expected);
    assert.equal((await post('')).body, expected);
  });

  test('a content type that is not JSON, or malformed, is the not-JSON row', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', ';;', 'nonsense', 'a/b/c']) {
      const { status, headers, body } = await post(exampleBody, { 'content-type': type });
      assert.deepEqual([status, headers['content-type']], [422, 'application/json'], type);
      assert.match(body, /"type":"model_attributes_type","loc":\["body"\]/);
    }
  });

  test('bytes that are no text are a 400', async () => {
    const head = requestText('POST /v1/attribution', {
      'content-type': 'application/json',
      'content-length': '2',
    });
    const response = await exchangeOne(address, Buffer.concat([Buffer.from(head), Buffer.of(0xc3, 0x28)]));
    assert.deepEqual(
      [response.status, response.body],
      [400, '{"detail":"There was an error parsing the body"}'],
    );
  });

  test('a body over 8 MiB is a 413, announced or not', async () => {
    const announced = await post('', { 'content-length': `${8 * 1024 * 1024 + 1}` });
    const big = 'x'.repeat(8 * 1024 * 1024 + 1);
    const sent = await fetch(`http://${address.host}:${address.port}/v1/attribution`, {
      method: 'POST',
      body: big,
    });
    const expected = '{"detail":"Request body is larger than 8388608 bytes"}';
    assert.deepEqual([announced.status, announced.body], [413, expected]);
    assert.deepEqual([sent.status, await sent.text()], [413, expected]);
    assert.equal(sent.headers.get('content-type'), 'application/json');
  });
});

describe('settings and failures', () => {
  async function postTo(change: Partial<Parameters<typeof createPublicServer>[0]>, body: string) {
    const other = createPublicServer({
      adapter: () => Promise.reject(new Error('provider cannot be built: password=hunter2')),
      log,
      settings: defaultPublicServerSettings,
      ...change,
    });
    const there = await other.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
    try {
      const headers = { 'content-length': `${body.length}` };
      return await exchangeOne(there, requestText('POST /v1/attribution', headers, body));
    } finally {
      await other.close();
    }
  }

  test('a provider that cannot be built at the time of a request is an HTTP 500', async () => {
    const { status, headers, body } = await postTo({}, exampleBody);
    assert.deepEqual(
      [status, headers['content-type'], body],
      [500, 'text/plain; charset=utf-8', 'Internal Server Error'],
    );
    assert.doesNotMatch(JSON.stringify(log.lines), /hunter2/);
  });

  test('a wrong shape is told before a provider is built', async () => {
    assert.equal((await postTo({}, '{}')).status, 422);
  });

  test('a setting keeps input out of a 422', async () => {
    const parse = { ...defaultPublicServerSettings.parse, echoInput: false };
    const { body } = await postTo(
      { settings: { ...defaultPublicServerSettings, parse } },
      '{"phase":"secret"}',
    );
    assert.doesNotMatch(body, /secret|"input"/);
  });
});
