import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import { parseRequest } from '../../src/contract/index.ts';
import { createPublicServer, defaultPublicServerSettings } from '../../src/http/public-server.ts';
import { openTls } from '../../src/http/tls.ts';
import { adapterUnderTest, outcome } from '../support/adapter-under-test.ts';
import { makeAuthority, pem } from '../support/certificates.ts';
import { exampleBody } from '../support/example-body.ts';
import { isInstalled } from '../support/installed.ts';
import { startService } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'attribution-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const skip = isInstalled(['openssl'], ['openssl']) ? false : 'openssl is not installed';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One request for an attribution, over TLS where there is an authority to trust. */
function ask(options: RequestOptions & ConnectionOptions, body = exampleBody): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = options.ca === undefined ? httpRequest : httpsRequest;
    const headers = { 'content-type': 'application/json', ...(options.headers as Record<string, string>) };
    const request = send({ path: '/v1/attribution', method: 'POST', agent: false, ...options, headers });
    request.once('error', reject);
    request.once('response', response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
        }),
      );
    });
    request.end(body);
  });
}

describe('TLS', { skip }, () => {
  const ours = skip === false ? makeAuthority(folder, 'ours') : null;
  const foreign = skip === false ? makeAuthority(folder, 'foreign') : null;
  assert.ok(skip !== false || (ours !== null && foreign !== null));

  test('takes a renewed certificate for new connections, and keeps the old one while the new is wrong', async () => {
    const first = ours?.issue('localhost');
    const second = ours?.issue('localhost');
    assert.ok(first !== undefined && second !== undefined);
    const inUse = { certificate: join(folder, 'in-use.pem'), key: join(folder, 'in-use.key') };
    copyFileSync(first.certificate, inUse.certificate);
    copyFileSync(first.key, inUse.key);
    const tls = openTls({ ...inUse, clientAuthority: '' });
    assert.ok(tls !== null);
    assert.equal(tls.reload(), false);
    copyFileSync(second.certificate, inUse.certificate);
    assert.throws(() => tls.reload(), { name: 'StartupError', message: /cannot be used together/ });
    assert.equal(tls.context().cert, pem(first.certificate));
    copyFileSync(second.key, inUse.key);
    assert.equal(tls.reload(), true);
    assert.equal(tls.context().cert, pem(second.certificate));
  });

  test('serves a renewed certificate after SIGHUP', async context => {
    const [first, second] = [ours?.issue('localhost'), ours?.issue('localhost')];
    assert.ok(first !== undefined && second !== undefined);
    const certificate = join(folder, 'served.pem');
    const key = join(folder, 'served.key');
    copyFileSync(first.certificate, certificate);
    copyFileSync(first.key, key);
    const service = await startService(['--evidence', folder, '--state', join(folder, 'tls-state')], {
      ATTRIBUTION_TLS_CERTIFICATE: certificate,
      ATTRIBUTION_TLS_KEY: key,
    });
    context.after(() => service.kill());
    const { port } = new URL(service.url);
    const fingerprint = (): Promise<string | null> =>
      new Promise(resolve => {
        const socket = connect({ port: Number(port), host: 'localhost', ca: pem(ours?.certificate ?? '') });
        socket.once('secureConnect', () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.destroy();
        });
        socket.on('error', () => {});
        socket.once('close', () => resolve(null));
      });
    assert.match(service.url, /^https:/);
    const before = await fingerprint();
    copyFileSync(second.certificate, certificate);
    copyFileSync(second.key, key);
    service.process.kill('SIGHUP');
    let now = before;
    for (let tries = 0; tries < 200 && (now === before || now === null); tries += 1) {
      await new Promise(resolve => setTimeout(resolve, 50));
      now = await fingerprint();
    }
    assert.equal(now === before || now === null, false);
  });

  const wrong: readonly (readonly [string, Parameters<typeof openTls>[0], RegExp])[] = [
    [
      'a key without a certificate',
      { certificate: '', key: '/no/key', clientAuthority: '' },
      /^tls\.key is set without tls\.certificate/,
    ],
    [
      'a certificate without a key',
      { certificate: '/no/file', key: '', clientAuthority: '' },
      /^tls\.certificate is set without tls\.key/,
    ],
    [
      'a file that is missing',
      { certificate: '/no/file', key: '/no/key', clientAuthority: '' },
      /^tls\.certificate \/no\/file cannot be read \(ENOENT\).*\ntls\.key \/no\/key cannot be read \(ENOENT\)/,
    ],
  ];
  for (const [what, settings, message] of wrong) {
    test(`${what} is told with the setting's name`, () => {
      assert.throws(() => openTls(settings), { name: 'StartupError', message });
    });
  }
});

describe('bearer tokens', () => {
  const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
  const settings = {
    ...defaultPublicServerSettings,
    callers: { tokens: ['one', 'two'].map(name => ({ name, sha256: [sha256(`${name}-token`)] })) },
  };
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test('without one nothing is read and nothing answered but 401', async () => {
    const { adapter, log } = adapterUnderTest(async () => outcome());
    const server = createPublicServer({ adapter: async () => adapter, log, settings });
    const at = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
    const { status, headers, body } = await ask(at, 'not even JSON');
    assert.deepEqual([status, body], [401, { detail: 'Not authenticated' }]);
    assert.equal(headers['www-authenticate'], 'Bearer');
    assert.equal((await ask({ ...at, ...bearer('another-token') })).status, 401);
    assert.equal((await ask({ ...at, ...bearer('one-token') })).status, 200);
    assert.equal(JSON.stringify(log.lines).includes('token'), false);
    await server.close();
  });

  test('10,000 tries with the session ids of another caller continue none of them', async () => {
    const seen: (string | null)[] = [];
    const tested = adapterUnderTest(async context => {
      seen.push(context.session.session.id);
      return outcome();
    });
    const example = JSON.parse(exampleBody) as Record<string, unknown>;
    const { adapter } = tested;
    const asked = (id: string | null) => {
      const text = Buffer.from(JSON.stringify({ ...example, continue_session: id }));
      const parsed = parseRequest(text, 'application/json', settings.parse);
      assert.ok(parsed.ok);
      return parsed.request;
    };
    const as = (caller: string) => ({ caller, traceparent: null, tracestate: null });
    const own: string[] = [];
    for (let index = 0; index < 100; index += 1) {
      const { attributionSessionId } = await adapter.attribute(asked(null), as('one'));
      own.push(attributionSessionId ?? '');
    }
    const known = new Set(own);
    const tries = own.map(asked);
    assert.equal(known.size, 100);
    for (let index = 0; index < 10_000; index += 1) {
      const request = tries[index % tries.length] ?? asked(null);
      const { attributionSessionId } = await adapter.attribute(request, as(`other-${index % 7}`));
      assert.equal(known.has(attributionSessionId ?? ''), false);
    }
    assert.equal(
      seen.slice(100).some(id => known.has(id ?? '')),
      false,
    );
    const { attributionSessionId } = await adapter.attribute(asked(own[0] ?? ''), as('one'));
    assert.equal(attributionSessionId, own[0]);
  });
});

describe('overload', () => {
  test('is answered with 503 before the body is read, while health answers and places come free again', async () => {
    const gate = Promise.withResolvers<void>();
    const { adapter, log } = adapterUnderTest(async () => {
      await gate.promise;
      return outcome();
    });
    const server = createPublicServer({
      adapter: async () => adapter,
      log,
      settings: {
        ...defaultPublicServerSettings,
        load: { mostRequests: 1, mostPerCaller: 0, mostBytes: 1_000_000 },
      },
    });
    const at = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
    const first = ask(at);
    let refused = await ask(at, 'not even JSON');
    // The first may still be on its way.
    for (let tries = 0; tries < 100 && refused.status !== 503; tries += 1)
      refused = await ask(at, 'not even JSON');
    assert.equal(refused.status, 503);
    assert.deepEqual(refused.body, { detail: 'Too many requests are being answered: try again later' });
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers['content-type'], 'application/json');
    assert.equal((await fetch(`http://127.0.0.1:${at.port}/healthz`)).status, 200);
    gate.resolve();
    assert.equal((await first).status, 200);
    assert.equal((await ask(at)).status, 200);
    await server.close();
  });
});

describe('a Unix socket', () => {
  test('is served to owner and group, is left behind by nobody and taken over from the dead', async () => {
    const socket = join(folder, 'adapter.sock');
    const { adapter, log } = adapterUnderTest(async () => outcome());
    const make = () =>
      createPublicServer({ adapter: async () => adapter, log, settings: defaultPublicServerSettings });
    const server = make();
    await server.listen({ socket }, { trustedNetwork: false });
    assert.equal(statSync(socket).mode & 0o777, 0o660);
    assert.equal((await ask({ socketPath: socket })).status, 200);
    await assert.rejects(make().listen({ socket }, { trustedNetwork: false }), /another process listens there/);
    assert.equal((await ask({ socketPath: socket })).status, 200);
    await server.close();
  });

  test('replaces one that a killed process left, and never a file', async () => {
    const socket = join(folder, 'left.sock');
    const dies = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', dies, socket]), 'exit');
    assert.equal(statSync(socket).isSocket(), true);
    const { adapter, log } = adapterUnderTest(async () => outcome());
    const make = () =>
      createPublicServer({ adapter: async () => adapter, log, settings: defaultPublicServerSettings });
    const server = make();
    await server.listen({ socket }, { trustedNetwork: false });
    assert.equal((await ask({ socketPath: socket })).status, 200);
    await server.close();
    writeFileSync(socket, 'a file');
    await assert.rejects(make().listen({ socket }, { trustedNetwork: false }), /another process listens there/);
    assert.equal(statSync(socket).isFile(), true);
  });
});

test('asked to end, it answers within the grace time what a silent source holds up', async context => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port: silentPort } = silent.address() as AddressInfo;
  const config = join(folder, 'config.yaml');
  writeFileSync(config, `sources:\n  - name: logs\n    kind: loki\n    url: http://127.0.0.1:${silentPort}\n`);
  const socket = join(folder, 'ending.sock');
  const service = await startService(['--state', join(folder, 'grace-state'), '--listen', `unix:${socket}`], {
    ATTRIBUTION_CONFIG: config,
    ATTRIBUTION_SHUTDOWN_GRACE_MS: '200',
  });
  context.after(async () => {
    silent.close();
    await service.kill();
  });
  const example = { ...(JSON.parse(exampleBody) as object), timeout_ms: 600_000 };
  const asked = once(silent, 'connection');
  const answer = ask({ socketPath: socket }, JSON.stringify(example));
  await asked;
  const ended = service.stop();
  const { status, body } = await answer;
  assert.deepEqual([status, (body['error'] as { type: string }).type], [200, 'timeout']);
  assert.equal(await ended, 0);
});
