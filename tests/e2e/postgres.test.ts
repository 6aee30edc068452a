import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { PostgresSettings } from '../../src/storage/postgres/settings.ts';
import { caseFolder, post } from '../conformance/example.ts';
import { until } from '../support/daemon.ts';
import { freePort } from '../support/free-port.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';

const programs = postgresPrograms();
const evidence = ['--evidence', join(caseFolder, 'evidence')];
const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as { scope: object };
const epilog = { ...request.scope, start_time: '2026-03-02T10:15:00Z', end_time: '2026-03-02T10:18:00Z' };

suite('a service on PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  let cluster: PostgresCluster;
  before(async () => {
    cluster = await startPostgres(programs ?? '');
  });
  after(() => cluster.close());

  test('while its server is away it answers without a session and is not ready; afterwards it is as before', async context => {
    const config = configFile(temporaryFolder(context), cluster.database());
    const operations = `127.0.0.1:${await freePort()}`;
    const service = await startService(evidence, {
      ATTRIBUTION_CONFIG: config,
      ATTRIBUTION_LISTEN_OPERATIONS: operations,
    });
    context.after(() => service.kill());
    const fast = await post(service.url, request);
    assert.notEqual(fast.body.attribution_session_id, null);
    assert.equal(await readiness(operations), 200);

    await cluster.stop('SIGQUIT');
    const slow = {
      ...request,
      phase: 'slow',
      scope: epilog,
      continue_session: fast.body.attribution_session_id,
    };
    for (const asked of [request, slow]) {
      const lost = await post(service.url, asked);
      assert.equal(lost.status, 200);
      assert.equal(lost.body.attribution_session_id, null);
      assert.deepEqual(lost.body.attributions[0]?.target, { type: 'Node', node: 'node-03' });
    }
    await until('not ready', async () => (await readiness(operations)) === 503, 30_000);
    assert.match(
      service.stderr(),
      /PostgreSQL at 127.0.0.1:\d+, database attribution_\d+: nothing listens there/,
    );

    await cluster.start();
    const again = await post(service.url, slow);
    assert.equal(again.body.attribution_session_id, fast.body.attribution_session_id);
    await until('ready again', async () => (await readiness(operations)) === 200, 30_000);
    assert.equal(await service.stop(), 0);
    assert.doesNotMatch(service.stderr(), /cluster-password/);
  });

  test('a server that is away at start-up is told in one line, and its password in none', async context => {
    const folder = temporaryFolder(context);
    const env = { ATTRIBUTION_CONFIG: configFile(folder, { ...cluster.database(), port: 1 }) };
    const serve = await runCommand(['serve', '--listen', '127.0.0.1:0', ...evidence], { env });
    assert.equal(serve.code, 1);
    assert.match(
      serve.stderr,
      /^attribution-adapter: PostgreSQL at 127.0.0.1:1, .*: nothing listens there: .*\n$/,
    );
    const shown = await runCommand(['config', 'show'], { env });
    assert.match(shown.stdout, /postgres.password: "\(hidden\)"/);
    assert.doesNotMatch(shown.stdout, /cluster-password/);
  });
});

function configFile(folder: string, postgres: PostgresSettings): string {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, JSON.stringify({ sessions: { store: 'postgres' }, postgres }));
  return path;
}

async function readiness(operations: string): Promise<number> {
  return (await fetch(`http://${operations}/readyz`)).status;
}
