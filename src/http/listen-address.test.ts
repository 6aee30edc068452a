import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { adapterUnderTest, outcome } from '../../tests/support/adapter-under-test.ts';
import { StartupError } from '../core/errors.ts';
import { checkReachable, formatAddress, parseListenAddress } from './listen-address.ts';
import { createPublicServer, defaultPublicServerSettings } from './public-server.ts';

const readable: readonly (readonly [string, string, number])[] = [
  ['127.0.0.1:8000', '127.0.0.1', 8_000],
  ['localhost:8000', '127.0.0.1', 8_000],
  ['[::1]:0', '::1', 0],
  ['0.0.0.0:65535', '0.0.0.0', 65_535],
  ['adapter.example:80', 'adapter.example', 80],
];
for (const [text, host, port] of readable) {
  test(`${text} is an address`, () => assert.deepEqual(parseListenAddress(text), { host, port }));
}

for (const text of [
  '',
  '8000',
  ':8000',
  '127.0.0.1',
  '127.0.0.1:',
  '127.0.0.1:65536',
  '127.0.0.1:-1',
  '::1:8000',
]) {
  test(`${JSON.stringify(text)} is refused with the form to write`, () => {
    assert.throws(() => parseListenAddress(text), {
      name: 'StartupError',
      message: /^listen address .*write HOST:PORT/,
      exitCode: 2,
    });
  });
}

test('loopback needs no trust, every other address does', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1']) checkReachable({ host, port: 1 }, false);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example', 'adapter.example']) {
    assert.throws(() => checkReachable({ host, port: 1 }, false), {
      message: /--trusted-network/,
      exitCode: 2,
    });
    checkReachable({ host, port: 1 }, true);
  }
});

test('tokens without TLS are told as such, and trust in the network is the last way out', () => {
  const open = { host: '0.0.0.0', port: 1 };
  assert.throws(() => checkReachable(open, false, { kind: 'tokensInTheClear', prefix: 'operations.' }), {
    message:
      /tokens would cross the network in the clear: set operations\.tls\.certificate .*127\.0\.0\.1; only where .*--trusted-network$/,
  });
  assert.throws(() => checkReachable(open, false), {
    message: /callers are not authenticated: .*tls.*127\.0\.0\.1; only where .*--trusted-network$/,
  });
});

test('IPv6 is written in brackets', () => {
  assert.equal(formatAddress({ host: '::1', port: 8_000 }), '[::1]:8000');
  assert.equal(formatAddress({ host: '10.0.0.1', port: 8_000 }), '10.0.0.1:8000');
});

function server() {
  const { adapter, log } = adapterUnderTest(async () => outcome());
  return createPublicServer({ adapter: async () => adapter, log, settings: defaultPublicServerSettings });
}

test('a port in use stops start-up with one line', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => other.once('listening', resolve));
  const bound = other.address();
  assert.ok(bound !== null && typeof bound === 'object');
  await assert.rejects(
    server().listen({ host: '127.0.0.1', port: bound.port }, { trustedNetwork: false }),
    error =>
      error instanceof StartupError &&
      error.message ===
        `cannot listen on 127.0.0.1:${bound.port}: another process listens there; stop it or choose another address with --listen`,
  );
  other.close();
});

test('an address of another machine stops start-up with one line', async () => {
  await assert.rejects(server().listen({ host: '192.0.2.1', port: 0 }, { trustedNetwork: true }), {
    name: 'StartupError',
    message: /^cannot listen on 192\.0\.2\.1:0: this machine has no such address/,
  });
});

test('an address others can reach is refused before anything listens', async () => {
  await assert.rejects(server().listen({ host: '0.0.0.0', port: 0 }, { trustedNetwork: false }), {
    name: 'StartupError',
    message: /0\.0\.0\.0:0 can be reached from other machines/,
  });
});

test('a password in a URL that is no listen address is not told', () => {
  assert.throws(() => parseListenAddress('http://reader:hunter2@10.0.0.1/x'), {
    message: /^listen address http:\/\/\.\.\.@10\.0\.0\.1\/x: write HOST:PORT/,
  });
});
