import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { checkout, runCommand, startService, temporaryFolder } from '../support/service.ts';

const folder = join(checkout, 'cases/xid-79-while-peers-time-out');

async function get(url: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const answer = await fetch(url);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('the operations listener tells readiness by source, and what failures showed', async context => {
  const state = temporaryFolder(context);
  const config = join(state, 'config.yaml');
  const silent = await freePort();
  writeFileSync(
    config,
    `sources:
  - { name: recorded, kind: files, roots: [${join(folder, 'evidence')}] }
  - { name: store, kind: loki, url: 'http://127.0.0.1:${silent}' }
`,
  );
  const operations = `127.0.0.1:${await freePort()}`;
  const service = await startService(['--state', join(state, 'store')], {
    ATTRIBUTION_CONFIG: config,
    ATTRIBUTION_LISTEN_OPERATIONS: operations,
  });
  try {
    assert.deepEqual((await get(`http://${operations}/livez`)).body, { status: 'ok' });
    const ready = await get(`http://${operations}/readyz`);
    assert.equal(ready.status, 200);
    const sources = ready.body['sources'] as { source: string; works: boolean; reason: string | null }[];
    assert.deepEqual(
      sources.map(({ source, works }) => [source, works]),
      [
        ['recorded', true],
        ['store', false],
      ],
    );
    assert.match(sources[1]?.reason ?? '', /refused the connection|did not answer in time/);

    const answer = await fetch(`${service.url}/v1/attribution`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: readFileSync(join(folder, 'request.json'), 'utf8'),
    });
    assert.equal(answer.status, 200);
    const { body } = await get(`http://${operations}/v1/history?named=true`);
    const rows = body['rows'] as { node: string; finding: string }[];
    assert.deepEqual(
      rows.map(({ node, finding }) => [node, finding]),
      rows.map(() => ['node-03', 'accelerator_gpu']),
    );
    assert.ok(rows.length > 0);
    // Nothing of it is on the public port.
    for (const path of ['/livez', '/readyz', '/v1/history']) {
      assert.equal((await fetch(`${service.url}${path}`)).status, 404);
    }
  } finally {
    await service.stop();
  }
});

test('with every source broken it is not ready, and an address that is taken is told with its setting', async context => {
  const state = temporaryFolder(context);
  const config = join(state, 'config.yaml');
  const [silent, port] = [await freePort(), await freePort()];
  writeFileSync(config, `sources:\n  - { name: store, kind: loki, url: 'http://127.0.0.1:${silent}' }\n`);
  const operations = `127.0.0.1:${port}`;
  const env = { ATTRIBUTION_CONFIG: config, ATTRIBUTION_LISTEN_OPERATIONS: operations };
  const service = await startService(['--state', join(state, 'store')], env);
  try {
    const { status, body } = await get(`http://${operations}/readyz`);
    assert.equal(status, 503);
    assert.equal((body['provider'] as { reason: string }).reason, 'no source can be read');
    const second = await runCommand(['serve', '--listen', '127.0.0.1:0', '--state', join(state, 'another')], {
      env,
    });
    assert.equal(second.code, 1);
    assert.match(
      second.stderr,
      new RegExp(`cannot listen on 127\\.0\\.0\\.1:${port}: .*with listen\\.operations\\n$`),
    );
  } finally {
    await service.stop();
  }
});

test('it can be switched off', async context => {
  const state = temporaryFolder(context);
  const args = ['--evidence', join(folder, 'evidence'), '--state', state];
  const service = await startService(args, { ATTRIBUTION_LISTEN_OPERATIONS: 'off' });
  assert.equal(await service.stop(), 0);
  assert.doesNotMatch(service.stderr(), /"address":"127\.0\.0\.1:9464"/);
});
