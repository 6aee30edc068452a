import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import type { Attributors } from '../../src/adapter/attributors.ts';
import { createAttributorServer } from '../../src/http/attributor-server.ts';
import type { Guard, Listener } from '../../src/http/guarded-listener.ts';
import { livezRoute } from '../../src/http/health-routes.ts';
import { json } from '../../src/http/operations-route.ts';
import { createOperationsServer } from '../../src/http/operations-server.ts';
import { createPublicServer, defaultPublicServerSettings } from '../../src/http/public-server.ts';
import { openTls } from '../../src/http/tls.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { adapterUnderTest, outcome } from '../support/adapter-under-test.ts';
import { makeAuthority, pem } from '../support/certificates.ts';
import { exampleBody } from '../support/example-body.ts';
import { isInstalled } from '../support/installed.ts';
import { runCommand, startService } from '../support/service.ts';
import { silentLog } from '../support/silent-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'attribution-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const skip = isInstalled(['openssl'], ['openssl']) ? false : 'openssl is not installed';

/** A listener, one of its requests, and who has been served; null where it does not tell callers apart. */
interface Tested {
  readonly listener: Listener;
  readonly asks: { readonly path: string; readonly method: string };
  readonly body: string;
  readonly served: (string | null)[];
}

const listeners: Readonly<Record<string, (guard: Guard) => Tested>> = {
  public: ({ tls, callers }) => {
    const served: (string | null)[] = [];
    const { adapter, log } = adapterUnderTest(async ({ session }) => {
      served.push(session.session.binding.caller);
      return outcome();
    });
    const settings = { ...defaultPublicServerSettings, callers };
    const listener = createPublicServer({ adapter: async () => adapter, log, settings, tls });
    return { listener, served, asks: { path: '/v1/attribution', method: 'POST' }, body: exampleBody };
  },
  attributor: guard => {
    const served: (string | null)[] = [];
    const attributors: Attributors = {
      async create(_request, _details, caller) {
        served.push(caller);
        return 'a';
      },
      observe: async () => null,
      attribution: async () => null,
      settled: async () => {},
    };
    const listener = createAttributorServer({
      attributors,
      guard,
      search: async () => ({ hits: [], total: 0, isTotalExact: true }),
      log: silentLog,
      clock: systemClock,
      prefix: '/latest',
      bodyLimitBytes: 1_000_000,
      instanceId: 'own',
    });
    const body = JSON.stringify({ workload: { id: '7:cycle1:0', nodes: ['node-01'] } });
    return { listener, served, asks: { path: '/latest/attributor', method: 'POST' }, body };
  },
  operations: guard => {
    const served: (string | null)[] = [];
    const routes = [
      livezRoute,
      {
        path: '/v1/history',
        answer() {
          served.push(null);
          return json(200, '{}');
        },
      },
    ];
    const listener = createOperationsServer({ routes, log: silentLog, guard });
    return { listener, served, asks: { path: '/v1/history', method: 'GET' }, body: '' };
  },
};

function ask(options: RequestOptions & ConnectionOptions, body = ''): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = options.ca === undefined ? plainRequest : tlsRequest;
    const asking = send({ agent: false, ...options }, response => {
      response.resume();
      response.once('end', () => resolve(response));
      response.once('error', reject);
    });
    asking.once('error', reject);
    asking.end(body);
  });
}

const noTokens = { tokens: [] };
const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');

for (const [name, open] of Object.entries(listeners)) {
  describe(`TLS of the ${name} listener`, { skip }, () => {
    const ours = skip === false ? makeAuthority(folder, `ours-${name}`) : null;
    const foreign = skip === false ? makeAuthority(folder, `foreign-${name}`) : null;
    const shown = (identity: { certificate: string; key: string } | undefined) => ({
      cert: pem(identity?.certificate ?? ''),
      key: pem(identity?.key ?? ''),
    });

    async function serving(clientAuthority = '', callers: Guard['callers'] = noTokens) {
      const identity = ours?.issue('localhost');
      const files = { certificate: identity?.certificate ?? '', key: identity?.key ?? '', clientAuthority };
      const tested = open({ tls: openTls(files), callers });
      const { port } = await tested.listener.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
      const at = { host: 'localhost', port, ca: pem(ours?.certificate ?? ''), ...tested.asks };
      return { ...tested, at };
    }

    test('answers those who trust its authority, and no others', async () => {
      const { listener, at, body } = await serving();
      assert.equal((await ask(at, body)).statusCode, 200);
      await assert.rejects(ask({ ...at, ca: pem(foreign?.certificate ?? '') }, body), {
        code: /SELF_SIGNED|UNABLE_TO/,
      });
      await listener.close();
    });

    test('does not answer in the clear', async () => {
      const { listener, at, body, served } = await serving();
      const { ca: _ca, ...plain } = at;
      await assert.rejects(ask(plain, body));
      assert.deepEqual(served, []);
      await listener.close();
    });

    test('speaks no protocol older than TLS 1.2', async () => {
      const { listener, at } = await serving();
      const old = connect({ host: at.host, port: at.port, ca: at.ca, ...oldProtocol });
      const [error] = await once(old, 'error');
      assert.match(String((error as Error).message), /protocol version|unsupported protocol|no protocols/i);
      await listener.close();
    });

    test('has client certificates name the caller, where it tells callers apart', async () => {
      const { listener, at, body, served } = await serving(ours?.certificate ?? '');
      assert.equal((await ask({ ...at, ...shown(ours?.issue('controller')) }, body)).statusCode, 200);
      assert.deepEqual(served, [name === 'operations' ? null : 'controller']);
      await listener.close();
    });

    const refused: readonly (readonly [string, () => Partial<ConnectionOptions>])[] = [
      ['no certificate', () => ({})],
      ['one of another authority', () => shown(foreign?.issue('controller'))],
      ['one that has ended', () => shown(ours?.issue('controller', -1))],
    ];
    for (const [what, options] of refused) {
      test(`lets nobody in who shows ${what}`, async () => {
        const { listener, at, body, served } = await serving(ours?.certificate ?? '');
        await assert.rejects(ask({ ...at, ...options() }, body));
        assert.deepEqual(served, []);
        await listener.close();
      });
    }
  });

  describe(`bearer tokens of the ${name} listener`, () => {
    test('without one of its own nothing is read and nothing answered but 401', async () => {
      const callers = { tokens: [{ name: 'one', sha256: [sha256('one-token'), sha256('next-token')] }] };
      const { listener, served, asks, body } = open({ tls: null, callers });
      const { port } = await listener.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
      const as = (authorization?: string) =>
        ask({ host: '127.0.0.1', port, ...asks, headers: authorization ? { authorization } : {} }, body);
      for (const authorization of [undefined, 'Bearer another', 'Bearer ', 'Basic one-token']) {
        const { statusCode, headers } = await as(authorization);
        assert.deepEqual([statusCode, headers['www-authenticate']], [401, 'Bearer'], authorization);
      }
      assert.deepEqual(served, []);
      assert.equal((await as('Bearer one-token')).statusCode, 200);
      assert.equal((await as('bearer next-token')).statusCode, 200);
      assert.deepEqual(served, name === 'operations' ? [null, null] : ['one', 'one']);
      await listener.close();
    });
  });
}

/** What a client is made to offer that knows nothing newer. */
const oldProtocol = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const;

test('a sign of life of the operations listener needs no token', async () => {
  const callers = { tokens: [{ name: 'one', sha256: [sha256('one-token')] }] };
  const listener = listeners['operations']?.({ tls: null, callers }).listener;
  assert.ok(listener !== undefined);
  const at = await listener.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
  assert.equal((await ask({ ...at, path: '/livez' })).statusCode, 200);
  assert.equal((await ask({ ...at, path: '/nowhere' })).statusCode, 401);
  await listener.close();
});

describe('a whole service whose listeners all have certificates', { skip }, () => {
  const ours = skip === false ? makeAuthority(folder, 'service') : null;

  test('says so, answers, and renews each of them after SIGHUP', async context => {
    const names = ['public', 'operations', 'attributor'];
    const put = (name: string): { certificate: string; key: string } => {
      const issued = ours?.issue('localhost');
      const files = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
      copyFileSync(issued?.certificate ?? '', files.certificate);
      copyFileSync(issued?.key ?? '', files.key);
      return files;
    };
    const [contract, operations, attributor] = names.map(put);
    const sockets = ['operations', 'attributor'].map(name => join(folder, `${name}.sock`));
    const config = join(folder, 'config.yaml');
    const tokens = [{ name: 'one', sha256: [sha256('one-token')] }];
    const settings = {
      listen: { operations: `unix:${sockets[0]}`, attributor: `unix:${sockets[1]}` },
      tls: contract,
      operations: { tls: operations, callers: { tokens } },
      attributor: { enabled: true, tls: attributor },
      provider: { kind: 'replay', replay: { path: 'cases/xid-79-while-peers-time-out' } },
    };
    writeFileSync(config, JSON.stringify(settings));
    const checked = await runCommand(['--config', config, 'config', 'check']);
    assert.deepEqual([checked.code, checked.stderr], [0, '']);
    const service = await startService(['--state', join(folder, 'state')], {
      ATTRIBUTION_CONFIG: config,
      ATTRIBUTION_LISTEN_OPERATIONS: `unix:${sockets[0]}`,
    });
    context.after(() => service.kill());
    const ca = pem(ours?.certificate ?? '');
    const places: readonly ConnectionOptions[] = [
      { host: 'localhost', port: Number(new URL(service.url).port) },
      ...sockets.map(path => ({ path, servername: 'localhost' })),
    ];
    const fingerprint = async (place: ConnectionOptions): Promise<string> => {
      const socket = connect({ ...place, ca });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const before = await Promise.all(places.map(fingerprint));
    assert.equal(new Set(before).size, 3);
    const scrape = { socketPath: sockets[0] ?? '', servername: 'localhost', ca, path: '/metrics' };
    assert.equal((await ask(scrape)).statusCode, 401);
    const headers = { authorization: 'Bearer one-token' };
    assert.equal((await ask({ ...scrape, headers })).statusCode, 200);

    for (const name of names) put(name);
    service.process.kill('SIGHUP');
    for (const [at, place] of places.entries()) {
      let now = before[at];
      for (let tries = 0; tries < 200 && now === before[at]; tries += 1) {
        await new Promise(resolve => setTimeout(resolve, 50));
        now = await fingerprint(place);
      }
      assert.notEqual(now, before[at], names[at]);
    }
  });

  test('does not start with a certificate that is missing, and names its setting', async () => {
    const config = join(folder, 'missing.yaml');
    writeFileSync(config, JSON.stringify({ operations: { tls: { certificate: '/no/file', key: '/no/key' } } }));
    const { code, stderr } = await runCommand(['--config', config, 'serve', '--listen', '127.0.0.1:0']);
    assert.equal(code, 2);
    assert.match(stderr, /operations\.tls\.certificate \/no\/file cannot be read \(ENOENT\)/);
  });
});
