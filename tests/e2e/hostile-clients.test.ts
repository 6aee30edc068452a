import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { createGuardedListener, unguarded } from '../../src/http/guarded-listener.ts';
import type { NetworkAddress } from '../../src/http/listen-address.ts';
import { createPublicServer, defaultPublicServerSettings } from '../../src/http/public-server.ts';
import { adapterUnderTest, outcome } from '../support/adapter-under-test.ts';
import { exampleBody } from '../support/example-body.ts';
import { freePort } from '../support/free-port.ts';
import { exchange, requestText, responsesIn } from '../support/raw-http.ts';
import { startService, temporaryFolder } from '../support/service.ts';

/** A listener such as all are made from, with times that a test can wait for. */
async function listening(context: Pick<TestContext, 'after'>, serve: RequestListener): Promise<NetworkAddress> {
  const options = {
    backlog: 64,
    connectionShare: 0.1,
    setting: 'test',
    requestTimeout: 400,
    headersTimeout: 200,
    connectionsCheckingInterval: 50,
    requireHostHeader: false,
  };
  const listener = createGuardedListener(unguarded, options, serve);
  context.after(() => listener.close());
  return listener.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
}

/** Answers with the method and the path once the body has come. */
const echo: RequestListener = (request, response) => {
  request.resume();
  request.once('end', () => response.end(`${request.method} ${request.url}`));
};

const inner = 'GET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n';
/** Requests that two servers might cut in different places. */
const ambiguous: readonly (readonly [string, string])[] = [
  [
    'a length and chunks',
    `content-length: ${inner.length + 5}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  ],
  ['chunks and a length', `transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n${inner}`],
  ['two lengths', `content-length: 0\r\ncontent-length: ${inner.length}\r\n\r\n${inner}`],
  ['a list of lengths', `content-length: 0, ${inner.length}\r\n\r\n${inner}`],
  ['a length with a sign', `content-length: +0\r\n\r\n${inner}`],
  ['a negative length', `content-length: -1\r\n\r\n${inner}`],
  ['a length in hexadecimal', `content-length: 0x0\r\n\r\n${inner}`],
  ['an unknown coding', `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
  ['chunks that are not last', `transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`],
  ['chunks twice', `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${inner}`],
  ['a space before the colon', `transfer-encoding : chunked\r\n\r\n0\r\n\r\n${inner}`],
  ['a folded header', `x: a\r\n transfer-encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
  ['a chunk size with a sign', `transfer-encoding: chunked\r\n\r\n-1\r\n\r\n${inner}`],
  ['a chunk size beyond all numbers', `transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${inner}`],
  ['a chunk that ends elsewhere', `transfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n${inner}`],
  ['a zero byte in a name', `content\0-length: 5\r\n\r\n${inner}`],
  ['a bare carriage return', `x: a\rtransfer-encoding: chunked\r\n\r\n${inner}`],
];

describe('what could be cut in two places is refused, and nothing behind it is served', () => {
  for (const [what, rest] of ambiguous) {
    test(what, async context => {
      const at = await listening(context, echo);
      const text = await exchange(at, `POST /v1/attribution HTTP/1.1\r\nhost: a\r\n${rest}`);
      assert.doesNotMatch(text, /smuggled/);
      assert.equal(responsesIn(text).at(-1)?.status, 400);
    });
  }
});

test('a request without an end is given up, and its connection closed', async context => {
  const at = await listening(context, echo);
  const silent = connect(at.port, at.host);
  const slowHead = exchange(at, 'GET / HTTP/1.1\r\nhost: a\r\nx: ');
  const halfBody = exchange(at, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n{');
  assert.match(await slowHead, /^HTTP\/1\.1 408 /);
  assert.match(await halfBody, /^HTTP\/1\.1 408 /);
  silent.resume();
  await once(silent, 'close');
});

test('HTTP/1.0 is answered, by a body with a length, and its connection closed', async context => {
  const at = await listening(context, (_request, response) => {
    response.setHeader('content-length', 2);
    response.end('ok');
  });
  const text = await exchange(at, 'GET / HTTP/1.0\r\n\r\n');
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(text, /\r\nconnection: close\r\n/i);
  assert.ok(text.endsWith('\r\n\r\nok'));
});

test('requests sent ahead on one connection are served one after the other, in their order', async context => {
  let [atWork, most] = [0, 0];
  const at = await listening(context, async (request, response) => {
    atWork += 1;
    most = Math.max(most, atWork);
    await new Promise(resolve => setTimeout(resolve, 5));
    atWork -= 1;
    response.setHeader('content-length', 2);
    response.end(request.url?.slice(-2));
  });
  const ahead = Array.from({ length: 10 }, (_, index) => `GET /${10 + index} HTTP/1.1\r\nhost: a\r\n`);
  const text = await exchange(at, `${ahead.join('\r\n')}connection: close\r\n\r\n`);
  assert.deepEqual(
    responsesIn(text).map(({ body }) => Number(body)),
    Array.from({ length: 10 }, (_, index) => 10 + index),
  );
  assert.equal(most, 1);
});

test('who sends thousands ahead and reads no answer is cut off', async context => {
  let served = 0;
  const page = Buffer.alloc(100_000);
  const closed = Promise.withResolvers<void>();
  const at = await listening(context, ({ socket }, response) => {
    if (served === 0) socket.once('close', () => closed.resolve());
    served += 1;
    response.end(page);
  });
  const socket = connect(at.port, at.host);
  socket.pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(20_000));
  await closed.promise;
  socket.destroy();
  assert.ok(served < 100, `${served} were served`);
});

test('bodies that never come whole take no more memory than allowed, and others get a documented refusal', async () => {
  const { adapter, log } = adapterUnderTest(async () => outcome());
  const load = { mostRequests: 100, mostPerCaller: 0, mostBytes: 20_000 };
  const settings = { ...defaultPublicServerSettings, load };
  const server = createPublicServer({ adapter: async () => adapter, log, settings });
  const at = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
  const held = ['content-length: 15000', 'transfer-encoding: chunked'].map(length => {
    const socket = connect(at.port, at.host);
    socket.on('error', () => {});
    socket.write(`POST /v1/attribution HTTP/1.1\r\nhost: a\r\n${length}\r\n\r\n`);
    return socket;
  });
  // One with so many bytes of its own; the other may have as many as one may have.
  const [first, second] = held;
  assert.ok(first !== undefined && second !== undefined);
  const [refusal] = (await once(second, 'data')) as [Buffer];
  assert.match(refusal.toString(), /^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/s);
  const small = requestText('POST /v1/attribution', { 'content-length': `${exampleBody.length}` }, exampleBody);
  assert.equal(responsesIn(await exchange(at, small))[0]?.status, 200);
  first.destroy();
  second.destroy();
  await server.close();
});

test('a hundred questions to a source that never answers leave signs of life and refusals as they are', async context => {
  const asked: unknown[] = [];
  const silent = createServer(socket => asked.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port: silentPort } = silent.address() as AddressInfo;
  const folder = temporaryFolder(context);
  const config = join(folder, 'config.yaml');
  const sources = [{ name: 'logs', kind: 'loki', url: `http://127.0.0.1:${silentPort}` }];
  writeFileSync(config, JSON.stringify({ sources, load: { requests: 100 } }));
  const operations = `127.0.0.1:${await freePort()}`;
  const service = await startService(['--state', join(folder, 'state')], {
    ATTRIBUTION_CONFIG: config,
    ATTRIBUTION_LISTEN_OPERATIONS: operations,
    ATTRIBUTION_SHUTDOWN_GRACE_MS: '0',
  });
  context.after(async () => {
    silent.close();
    await service.kill();
  });
  const example = JSON.parse(exampleBody) as object;
  const send = (index: number) =>
    fetch(`${service.url}/v1/attribution`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...example, timeout_ms: 600_000 + index }),
    });
  const waiting = Array.from({ length: 100 }, (_, index) => send(index));
  for (let tries = 0; asked.length === 0 && tries < 400; tries += 1) {
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  let last = await send(100);
  for (let tries = 0; last.status !== 503 && tries < 20; tries += 1) last = await send(200 + tries);
  assert.equal(last.status, 503);
  assert.match(last.headers.get('retry-after') ?? '', /^[1-9][0-9]?$/);
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
    assert.equal((await fetch(`http://${operations}/livez`)).status, 200);
  }
  assert.equal(await service.stop(), 0);
  const answers = await Promise.all(waiting);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});
