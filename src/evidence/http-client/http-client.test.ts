import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type FakeAnswer,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
  type TransportFault,
  transportFaults,
} from '../../../tests/support/fakes/fake-server.ts';
import { testCertificate, testKey } from '../../../tests/support/fakes/test-certificates.ts';
import { rememberedLog } from '../../../tests/support/remembered-log.ts';
import { silentLog } from '../../../tests/support/silent-log.ts';
import type { Clock } from '../../core/ports.ts';
import type { FailureKind } from './failure.ts';
import { type Answer, createHttpClient, type HttpRequest } from './http-client.ts';
import { defaultHttpSettings, type HttpSettings } from './settings.ts';

const clock: Clock = {
  now: () => 0n,
  elapsedMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const never = new AbortController().signal;
const ask: HttpRequest = { method: 'GET', path: '/q', query: { query: '{a="b c"}' }, expected: 'json' };
const fine = (): FakeAnswer => ({ status: 200, type: 'application/json', body: '{"status":"success"}' });
const single = { retries: 0, baseMs: 1, patienceMs: 10 };

async function exchange(
  options: FakeServerOptions,
  settings: Partial<HttpSettings> = {},
  run: (send: (signal?: AbortSignal) => Promise<Answer>, server: FakeServer) => Promise<void> = async () => {},
  handle: (server: { path: string }) => FakeAnswer = fine,
): Promise<void> {
  const server = await startFakeServer(handle, options);
  const client = createHttpClient(
    'test',
    { ...defaultHttpSettings, retry: single, url: server.url, ...settings },
    { clock, log: silentLog, random: () => 0.5 },
  );
  try {
    await run((signal = never) => client.send(ask, signal), server);
  } finally {
    await client.close();
    await server.close();
  }
}

function kindOf(answer: Answer): FailureKind | 'none' {
  return answer.ok ? 'none' : answer.failure.kind;
}

test('an answer is decoded, and its path lies below the configured one', async () => {
  await exchange({ gzip: true }, {}, async (send, server) => {
    const answer = await send();
    assert.ok(answer.ok);
    assert.deepEqual(answer.value, { status: 'success' });
    assert.equal(server.requests[0]?.path, '/q');
    assert.equal(server.requests[0]?.parameters.get('query'), '{a="b c"}');
  });
});

const expectedKinds: Readonly<Record<TransportFault, FailureKind>> = {
  refused: 'refused',
  reset: 'reset',
  'one byte a second': 'timed_out',
  'half a JSON': 'not_json',
  'wrong gzip': 'bad_encoding',
  'gzip bomb': 'too_large',
  '401': 'status',
  '403': 'status',
  '429 with Retry-After': 'status',
  '500': 'status',
  '503': 'status',
  'redirect loop': 'redirect',
  'redirect to another host': 'redirect',
  'expired certificate': 'tls',
  'HTML 200': 'wrong_content_type',
  'wrong content type': 'wrong_content_type',
  'ten times the cap': 'too_large',
};

for (const fault of transportFaults) {
  test(`a server with the fault "${fault}" is a failure of its kind, and no exception`, async () => {
    const timeoutMs = fault === 'one byte a second' ? 500 : 60_000;
    const limits = { answerBytes: 1024 * 1024, expandedBytes: 1024 * 1024, timeoutMs };
    const tls = { ...defaultHttpSettings.tls };
    await exchange({ fault, floodBytes: 10 * 1024 * 1024 }, { ...limits, tls }, async send => {
      const answer = await send();
      assert.equal(kindOf(answer), expectedKinds[fault]);
      assert.ok(!answer.ok && !answer.failure.message.includes('127.0.0'));
      assert.match(answer.failure.message, /^[^:]+: [^:]+$/, 'what failed, and what to do');
    });
  });
}

test('nothing is waited for once the signal has aborted', async () => {
  await exchange({ delayMs: 60_000 }, {}, async send => {
    assert.equal(kindOf(await send(AbortSignal.timeout(20))), 'aborted');
    assert.equal(kindOf(await send(AbortSignal.abort())), 'aborted');
  });
});

test('a wait before the next attempt ends with the signal', async () => {
  const retry = { retries: 5, baseMs: 60_000, patienceMs: 60_000 };
  await exchange({ fault: '503' }, { retry }, async send => {
    assert.equal(kindOf(await send(AbortSignal.timeout(50))), 'aborted');
  });
});

test('what passes is tried again, what does not is not', async () => {
  const statuses = [503, 429, 200];
  const flaky = (): FakeAnswer => ({ ...fine(), status: statuses.shift() ?? 500 });
  const retry = { ...single, retries: 2 };
  await exchange({}, { retry }, async send => assert.equal(kindOf(await send()), 'none'), flaky);
  await exchange({ fault: '403' }, { retry }, async (send, server) => {
    await send();
    assert.equal(server.requests.length, 1);
  });
});

test('a server that asks for more patience than there is, is not asked again', async () => {
  await exchange(
    { fault: '429 with Retry-After' },
    { retry: { ...single, retries: 2 } },
    async (send, server) => {
      const answer = await send();
      assert.ok(!answer.ok);
      assert.equal(answer.failure.retryAfterMs, 120_000);
      assert.match(answer.failure.message, /wait 120 s/);
      assert.equal(server.requests.length, 1);
    },
  );
});

test('a server that keeps failing is left alone, and its last failure goes on being told', async () => {
  const breaker = { failures: 3, pauseMs: 60_000 };
  await exchange({ fault: 'refused' }, { breaker: { ...breaker, failures: 1 } }, async send => {
    const [first, second] = [await send(), await send()];
    assert.ok(!first.ok && !second.ok);
    assert.match(first.failure.message, /^refused the connection \(ECONNREFUSED\): /);
    assert.equal(second.failure.kind, 'breaker_open');
    assert.equal(
      second.failure.message,
      `${first.failure.message}; it failed too often and is left alone for now`,
    );
  });
  await exchange({ fault: '500' }, { breaker }, async (send, server) => {
    const kinds: string[] = [];
    for (let count = 0; count < 5; count += 1) kinds.push(kindOf(await send()));
    assert.deepEqual(kinds, ['status', 'status', 'status', 'breaker_open', 'breaker_open']);
    assert.equal(server.requests.length, 3);
  });
});

test('no more requests run at once than allowed, and connections are used again', async () => {
  await exchange({ delayMs: 20 }, { concurrency: 3 }, async (send, server) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => send()));
    assert.ok(answers.every(answer => answer.ok));
    assert.equal(server.most.atOnce, 3);
    assert.equal(server.most.connections, 3);
  });
});

test('what lies between this machine and a socket, a name or a secret is told with what to do', async () => {
  const told = async (settings: Partial<HttpSettings>): Promise<string> => {
    let message = '';
    await exchange({}, settings, async send => {
      const answer = await send();
      assert.ok(!answer.ok);
      message = answer.failure.message;
    });
    return message;
  };
  assert.match(await told({ unixSocket: '/no/such.sock' }), /^has no socket there \(ENOENT\): .*unixSocket/);
  assert.match(
    await told({ url: 'http://no-such-host.invalid' }),
    /^has a name .* \((ENOTFOUND|EAI_\w+)\): correct/,
  );
  const caFile = { ...defaultHttpSettings.tls, caFile: '/no/ca.pem' };
  assert.match(
    await told({ tls: caFile }),
    /^was not asked: \/no\/ca\.pem cannot be read \(ENOENT\): create it/,
  );
});

test('a redirect that stays on the host is followed', async () => {
  const moved = ({ path }: { path: string }): FakeAnswer =>
    path === '/q' ? { ...fine(), status: 308, headers: { location: '/new' } } : fine();
  await exchange({}, {}, async send => assert.equal(kindOf(await send()), 'none'), moved);
});

test('credentials and headers are sent, and a token file is read again when it changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'http-client-'));
  const path = join(folder, 'token');
  await writeFile(path, 'first\n');
  const authentication = { type: 'bearer', scheme: 'Bearer', token: { kind: 'file', path } } as const;
  const headers = [['X-Scope-OrgID', { kind: 'inline', value: 'a|b' }]] as const;
  await exchange({}, { authentication, headers }, async (send, server) => {
    await send();
    await writeFile(path, 'the second\n');
    await send();
    await rm(path);
    const missing = await send();
    assert.deepEqual(
      server.requests.map(request => request.headers.authorization),
      ['Bearer first', 'Bearer the second'],
    );
    assert.equal(server.requests[0]?.headers['x-scope-orgid'], 'a|b');
    assert.equal(kindOf(missing), 'credentials');
  });
  const basic = { type: 'basic', username: 'reader', password: { kind: 'inline', value: 'pass' } } as const;
  await exchange({}, { authentication: basic }, async (send, server) => {
    await send();
    const sent = Buffer.from('reader:pass').toString('base64');
    assert.equal(server.requests[0]?.headers.authorization, `Basic ${sent}`);
  });
  await rm(folder, { recursive: true });
});

test('a certificate of an own authority is trusted, a client shows its own, an unknown one is not trusted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'http-client-'));
  const certificate = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  await writeFile(certificate, testCertificate);
  await writeFile(key, testKey);
  const plain = defaultHttpSettings.tls;
  await exchange({ tls: true }, {}, async send => assert.equal(kindOf(await send()), 'tls'));
  const own = { ...plain, caFile: certificate };
  await exchange({ tls: true }, { tls: own }, async send => assert.equal(kindOf(await send()), 'none'));
  const mutual = { ...own, certificateFile: certificate, keyFile: key };
  const demanding = { clientCertificate: true };
  await exchange(demanding, { tls: mutual }, async send => assert.equal(kindOf(await send()), 'none'));
  await exchange(demanding, { tls: own }, async send => assert.notEqual(kindOf(await send()), 'none'));
  await rm(folder, { recursive: true });
});

test('certificates that are not verified are said aloud at the start', async () => {
  const log = rememberedLog();
  const server = await startFakeServer(fine, { tls: true });
  const tls = { ...defaultHttpSettings.tls, insecureSkipVerify: true };
  const client = createHttpClient(
    'lab',
    { ...defaultHttpSettings, url: server.url, tls },
    { clock, log, random: () => 0.5 },
  );
  assert.deepEqual(
    log.lines.map(({ level, fields }) => [level, fields['source']]),
    [['warn', 'lab']],
  );
  assert.ok((await client.send(ask, never)).ok);
  await client.close();
  await server.close();
});

test('a unix socket and a proxy are other ways to the same server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'http-client-'));
  const unixSocket = join(folder, 'api.sock');
  await exchange({ unixSocket }, { url: 'http://localhost', unixSocket }, async send => {
    assert.equal(kindOf(await send()), 'none');
  });
  await rm(folder, { recursive: true });
  const password = { kind: 'inline', value: 'pass' } as const;
  await exchange({}, {}, async (_send, server) => {
    const proxy = { url: server.url, username: 'user1', password };
    const settings = { ...defaultHttpSettings, url: 'http://store.invalid:3100', proxy };
    const client = createHttpClient('far', settings, { clock, log: silentLog, random: () => 0.5 });
    assert.equal(kindOf(await client.send(ask, never)), 'none');
    assert.equal(server.requests[0]?.headers.host, 'store.invalid:3100');
    assert.match(server.requests[0]?.headers['proxy-authorization'] ?? '', /^Basic /);
    await client.close();
  });
});

test('a status that brings an answer is one, unless it comes with something else', async () => {
  const unknown: FakeAnswer = { status: 500, type: 'application/json', body: '{"errors":[2017]}' };
  const answers: FakeAnswer[] = [unknown, { ...unknown, type: 'text/plain' }, unknown];
  const server = await startFakeServer(() => answers.shift() ?? fine());
  const settings = { ...defaultHttpSettings, retry: single, url: server.url };
  const client = createHttpClient('test', settings, { clock, log: silentLog, random: () => 0.5 });
  try {
    const told = await client.send({ ...ask, answerStatuses: [404, 500] }, never);
    assert.deepEqual(told.ok && { status: told.status, value: told.value }, {
      status: 500,
      value: { errors: [2017] },
    });
    assert.equal(kindOf(await client.send({ ...ask, answerStatuses: [404, 500] }, never)), 'status');
    assert.equal(kindOf(await client.send(ask, never)), 'status');
  } finally {
    await client.close();
    await server.close();
  }
});
