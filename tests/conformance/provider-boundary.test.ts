import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAttributionAdapter, defaultAdapterSettings } from '../../src/adapter/attribute.ts';
import { openapiText } from '../../src/contract/index.ts';
import type { Provider } from '../../src/core/ports.ts';
import { createPublicServer, defaultPublicServerSettings } from '../../src/http/public-server.ts';
import { memorySessionStore } from '../../src/sessions/memory-store.ts';
import { silentMetrics } from '../../src/telemetry/silent-metrics.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { checkout, runCommand, temporaryFolder } from '../support/service.ts';
import { silentLog } from '../support/silent-log.ts';
import { claim } from './claims.ts';
import { exampleRequest, post } from './example.ts';

const readme = readFileSync(join(checkout, 'README.md'), 'utf8');

/** A public listener over a provider; `construct` may fail, as a lazily built provider can. */
async function listenOver(
  provider: Provider,
  construct: () => void = () => {},
): Promise<{ url: string; close(): Promise<void> }> {
  const adapter = createAttributionAdapter({
    provider,
    sessions: memorySessionStore({ clock: systemClock, log: silentLog }),
    clock: systemClock,
    log: silentLog,
    metrics: silentMetrics,
    redact: text => text,
    settings: defaultAdapterSettings,
    serviceId: 'attribution-adapter',
    versionOf: () => '0.0.0',
    randomId: () => crypto.randomUUID(),
  });
  const server = createPublicServer({
    adapter: async () => {
      construct();
      return adapter;
    },
    log: silentLog,
    settings: defaultPublicServerSettings,
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const failing: Provider = {
  kind: 'failing',
  corpusHash: null,
  attribute: () => Promise.reject(new Error('password=hunter2 of the back end')),
};

claim(14, async () => {
  const { url, close } = await listenOver(failing);
  assert.equal(await (await fetch(`${url}/healthz`)).text(), '{"status":"ok"}');
  await close();
});

claim(15, async context => {
  const state = temporaryFolder(context);
  const { code, stderr } = await runCommand(['serve', '--listen', '127.0.0.1:0', '--state', state]);
  assert.equal(code, 2);
  assert.match(stderr, /no evidence source is configured/);
});

claim(16, async context => {
  const folder = temporaryFolder(context);
  const config = join(folder, 'config.yaml');
  await writeFile(config, 'provider:\n  kind: private\n');
  const { code, stderr } = await runCommand(['--config', config, 'serve', '--listen', '127.0.0.1:0']);
  assert.equal(code, 2);
  assert.match(stderr, /provider\.kind must be one of/);
});

claim(17, async context => {
  const folder = temporaryFolder(context);
  const config = join(folder, 'config.yaml');
  await writeFile(config, 'sources:\n  - name: logs\n    kind: files\n');
  const { code, stderr } = await runCommand([
    '--config',
    config,
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--state',
    folder,
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /sources\.0.*roots/);
});

claim(18, async context => {
  const folder = temporaryFolder(context);
  await mkdir(join(folder, 'logs'));
  const { code, stdout } = await runCommand([
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--state',
    join(folder, 'state'),
  ]);
  assert.notEqual(code, 0);
  assert.doesNotMatch(stdout, /listening/);
});

claim(19, () => {
  assert.deepEqual(Object.keys((JSON.parse(openapiText()) as { paths: object }).paths).sort(), [
    '/healthz',
    '/v1/attribution',
  ]);
});

claim(36, () => {
  assert.match(readme, /an empty list.*says nothing about/is);
});

claim(37, () => {
  assert.match(readme, /never drains, cordons, restarts or isolates/i);
});

claim(40, async () => {
  const { url, close } = await listenOver(failing);
  const answer = await post(url, exampleRequest);
  await close();
  assert.equal(answer.status, 200);
  assert.equal(answer.body.error?.type, 'service_error');
  assert.doesNotMatch(answer.text, /hunter2/);
});

claim(42, async () => {
  const { url, close } = await listenOver(failing, () => {
    throw new Error('the provider cannot be built');
  });
  const answer = await post(url, exampleRequest);
  const malformed = await post(url, '{}');
  await close();
  assert.equal(answer.status, 500);
  assert.equal(answer.text, 'Internal Server Error');
  assert.equal(malformed.status, 422);
});

claim(44, async context => {
  const folder = temporaryFolder(context);
  const args = ['serve', '--listen', '0.0.0.0:0', '--evidence', folder, '--state', join(folder, 'state')];
  const { code, stderr } = await runCommand(args);
  assert.equal(code, 2);
  assert.match(stderr, /--trusted-network/);
});
