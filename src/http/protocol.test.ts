import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { adapterUnderTest, outcome } from '../../tests/support/adapter-under-test.ts';
import { exampleBody } from '../../tests/support/example-body.ts';
import { settle } from '../../tests/support/fake-clock.ts';
import { exchange, exchangeOne, requestText, responsesIn } from '../../tests/support/raw-http.ts';
import type { NetworkAddress } from './listen-address.ts';
import { createPublicServer, defaultPublicServerSettings, type PublicServer } from './public-server.ts';

let server: PublicServer;
let address: NetworkAddress;

before(async () => {
  // Answers some turns later, so that what follows on the connection arrives meanwhile.
  const { adapter, log } = adapterUnderTest(async () => {
    await settle();
    return outcome();
  });
  server = createPublicServer({ adapter: async () => adapter, log, settings: defaultPublicServerSettings });
  address = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
});
after(() => server.close());

/** What nobody serves, as it goes over the wire, and the answer in the contract's form. */
const refusals: readonly (readonly [string, string, number, string, Record<string, string>?])[] = [
  ['an unknown path', requestText('GET /nope'), 404, 'Not Found'],
  ['the root', requestText('GET /'), 404, 'Not Found'],
  ['a doubled slash', requestText('GET //healthz'), 404, 'Not Found'],
  ['a path that cannot be decoded', requestText('GET /%zz'), 404, 'Not Found'],
  ['a longer path', requestText('GET /healthz/x'), 404, 'Not Found'],
  ['a method of WebDAV', requestText('PROPFIND /nope'), 404, 'Not Found'],
  ['GET of attribution', requestText('GET /v1/attribution'), 405, 'Method Not Allowed', { allow: 'POST' }],
  ['PUT of attribution', requestText('PUT /v1/attribution'), 405, 'Method Not Allowed', { allow: 'POST' }],
  ['POST of health', requestText('POST /healthz'), 405, 'Method Not Allowed', { allow: 'GET' }],
  ['OPTIONS of health', requestText('OPTIONS /healthz'), 405, 'Method Not Allowed', { allow: 'GET' }],
  ['DELETE of docs', requestText('DELETE /docs'), 405, 'Method Not Allowed', { allow: 'GET, HEAD' }],
  ['OPTIONS of everything', requestText('OPTIONS *'), 405, 'Method Not Allowed', { allow: 'GET, HEAD, POST' }],
  ['a target too long', requestText(`GET /${'a'.repeat(8_192)}`), 414, 'URI Too Long'],
  [
    'headers too large',
    requestText('GET /healthz', { x: 'a'.repeat(70_000) }),
    431,
    'Request Header Fields Too Large',
  ],
  ['an unknown method', requestText('FOO /healthz'), 400, 'Invalid HTTP request received.'],
  ['a space in the target', requestText('GET /a b'), 400, 'Invalid HTTP request received.'],
  ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'Invalid HTTP request received.'],
  ['a broken header', 'GET /healthz HTTP/1.1\r\nhost\r\n\r\n', 400, 'Invalid HTTP request received.'],
  ['a tunnel', requestText('CONNECT db:5432'), 400, 'Invalid HTTP request received.'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'Invalid HTTP request received.'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00', 400, 'Invalid HTTP request received.'],
  ['an expectation', requestText('GET /healthz', { expect: 'magic' }), 417, 'Expectation Failed'],
  [
    'a length that is no number',
    requestText('POST /v1/attribution', { 'content-length': 'abc' }),
    400,
    'Invalid HTTP request received.',
  ],
  [
    'a broken chunk',
    requestText('POST /v1/attribution', { 'transfer-encoding': 'chunked' }, 'zz\r\n'),
    400,
    'Invalid HTTP request received.',
  ],
  [
    'two ways to tell the length',
    requestText('POST /v1/attribution', { 'transfer-encoding': 'chunked', 'content-length': '3' }, '{}'),
    400,
    'Invalid HTTP request received.',
  ],
];

describe('every refusal has the form of FastAPI and the content type application/json', () => {
  for (const [what, bytes, status, detail, headers = {}] of refusals) {
    test(what, async () => {
      const response = await exchangeOne(address, bytes);
      assert.equal(response.status, status);
      assert.equal(response.headers['content-type'], 'application/json');
      assert.equal(response.body, JSON.stringify({ detail }));
      for (const [name, value] of Object.entries(headers)) assert.equal(response.headers[name], value);
    });
  }

  test('HEAD of health is a 405 without a body', async () => {
    const text = await exchange(address, requestText('HEAD /healthz'));
    assert.match(text, /^HTTP\/1\.1 405 /);
    assert.match(text, /\r\nallow: GET\r\n/);
    assert.match(text, /\r\ncontent-type: application\/json\r\ncontent-length: 31\r\n/);
    assert.ok(text.endsWith('\r\n\r\n'));
  });
});

describe('a slash too many', () => {
  const redirects: readonly (readonly [string, string])[] = [
    ['GET /healthz/', 'http://adapter.example:8000/healthz'],
    ['POST /v1/attribution/', 'http://adapter.example:8000/v1/attribution'],
    ['POST /healthz///', 'http://adapter.example:8000/healthz'],
    ['GET /healthz/?a=1', 'http://adapter.example:8000/healthz?a=1'],
    ['GET /docs/', 'http://adapter.example:8000/docs'],
  ];
  for (const [line, location] of redirects) {
    test(`${line} is a 307 with an empty body`, async () => {
      const { status, headers, body } = await exchangeOne(address, requestText(line));
      assert.deepEqual([status, headers['location'], body], [307, location, '']);
      assert.equal(headers['content-type'], undefined);
      assert.equal(headers['content-length'], '0');
    });
  }

  test('a host that is none is not repeated', async () => {
    const { headers } = await exchangeOne(address, requestText('GET /healthz/', { host: 'a"><script>' }));
    assert.equal(headers['location'], `http://${address.host}:${address.port}/healthz`);
  });
});

test('a request that is whole gets its answer before the broken one behind it is refused', async () => {
  const headers = { connection: 'keep-alive', 'content-length': `${exampleBody.length}` };
  const first = requestText('POST /v1/attribution', headers, exampleBody);
  const responses = responsesIn(await exchange(address, `${first}BROKEN\r\n\r\n`));
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 400],
  );
});

test('a refused body is not waited for', async () => {
  const response = await exchangeOne(address, requestText('POST /nope', { 'content-length': '1000000' }, 'x'));
  assert.equal(response.status, 404);
});

test('closing answers what is under way and refuses new connections', async () => {
  const asked = Promise.withResolvers<void>();
  const concluded = Promise.withResolvers<ReturnType<typeof outcome>>();
  const { adapter, log } = adapterUnderTest(() => {
    asked.resolve();
    return concluded.promise;
  });
  const other = createPublicServer({
    adapter: async () => adapter,
    log,
    settings: defaultPublicServerSettings,
  });
  const there = await other.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
  const headers = { connection: 'keep-alive', 'content-length': `${exampleBody.length}` };
  const answer = exchangeOne(there, requestText('POST /v1/attribution', headers, exampleBody));
  await asked.promise;
  const closed = other.close();
  await settle();
  concluded.resolve(outcome());
  assert.equal((await answer).status, 200);
  await closed;
  await assert.rejects(exchange(there, requestText('GET /healthz')), { code: 'ECONNREFUSED' });
});

test('a caller that hangs up ends the work for it', async () => {
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { adapter, log } = adapterUnderTest(
    ({ soft }) =>
      new Promise(resolve => {
        soft.addEventListener('abort', () => {
          ended.resolve();
          resolve(outcome());
        });
        asked.resolve();
      }),
  );
  const other = createPublicServer({
    adapter: async () => adapter,
    log,
    settings: defaultPublicServerSettings,
  });
  const there = await other.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
  const caller = connect(there.port, there.host);
  caller.write(requestText('POST /v1/attribution', { 'content-length': `${exampleBody.length}` }, exampleBody));
  await asked.promise;
  caller.destroy();
  await ended.promise;
  await other.close();
});
