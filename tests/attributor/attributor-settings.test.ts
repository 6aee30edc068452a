import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAttributorService } from '../support/attributor-service.ts';
import { dialectClient } from '../support/dialect-client.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, temporaryFolder } from '../support/service.ts';

const fallen =
  '[ 4711.250113] NVRM: Xid (PCI:0000:b3:00): 79, pid=1234, name=python3, GPU has fallen off the bus.';

test('with trust: job nothing that is pushed names a node', async () => {
  const service = await openAttributorService({ flags: { 'attributor.trust': 'job' } });
  try {
    const client = dialectClient(service.url);
    const id = await client.create('1', 0, ['node-a', 'node-b']);
    await client.observe(id, 'node-b', [fallen]);
    assert.deepEqual(await client.faulty(id), []);
  } finally {
    await service.close();
  }
});

test('where senders leave nothing out, a node without a fault was looked at', async () => {
  const service = await openAttributorService({ flags: { 'attributor.filtered': false } });
  try {
    const client = dialectClient(service.url);
    const id = await client.create('1', 0, ['node-a']);
    await client.observe(id, 'node-a', ['[ 1.5] eth0: link becomes ready']);
    const { attributions, error } = await client.read(id);
    assert.deepEqual([attributions, error], [[], null]);
  } finally {
    await service.close();
  }
});

test('the prefix is a setting, and may be empty', async () => {
  for (const prefix of ['/fact/v1', '']) {
    const service = await openAttributorService({ flags: { 'attributor.prefix': prefix } });
    try {
      assert.ok(await dialectClient(service.url).create('1', 0, ['node-a']));
    } finally {
      await service.close();
    }
  }
});

test('a body beyond the limit is refused', async () => {
  const service = await openAttributorService({ flags: { 'attributor.bodyLimitBytes': 1024 } });
  try {
    const client = dialectClient(service.url);
    const id = await client.create('1', 0, ['node-a']);
    const response = await client.observe(id, 'node-a', [fallen.padEnd(2000, '.')]);
    assert.equal(response.status, 413);
  } finally {
    await service.close();
  }
});

test('a provider that does not look at what is pushed says so', async () => {
  const path = join(import.meta.dirname, '../../cases/xid-79-while-peers-time-out');
  const flags = { 'provider.kind': 'replay', 'provider.replay.path': path };
  const service = await openAttributorService({ flags });
  try {
    const client = dialectClient(service.url);
    const id = await client.create('48213', 0, ['node-03', 'node-04']);
    await client.observe(id, 'node-04', [fallen]);
    assert.deepEqual(await client.faulty(id), ['node-03']);
    assert.match(
      JSON.stringify((await client.read(id)).coverage),
      /not_configured.*\(replay\) does not look at/,
    );
  } finally {
    await service.close();
  }
});

test('an adapter that would ask itself does not start', async context => {
  const folder = temporaryFolder(context);
  const port = await freePort();
  for (const host of ['127.0.0.1', '127.0.0.2', '0.0.0.0', 'localhost', '[::1]']) {
    const config = join(folder, 'config.yaml');
    writeFileSync(
      config,
      `listen:\n  attributor: 127.0.0.1:${port}\nattributor:\n  enabled: true\nprovider:\n  kind: fact\n  fact:\n    url: http://${host}:${port}\n    requireReachable: false\n`,
    );
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
    assert.match(
      stderr,
      /^[^\n]*provider\.fact\.url: [^\n]* is this adapter's own attributor listener[^\n]*\n$/,
    );
  }
});

test('another address needs the word that its network is trusted', async context => {
  const folder = temporaryFolder(context);
  const { code, stderr } = await runCommand(['serve', '--listen', '127.0.0.1:0', '--state', folder], {
    env: { ATTRIBUTION_ATTRIBUTOR_ENABLED: 'true', ATTRIBUTION_LISTEN_ATTRIBUTOR: '0.0.0.0:0' },
  });
  assert.equal(code, 2);
  assert.match(stderr, /--trusted-network/);
});
