import assert from 'node:assert/strict';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { caseFolder, post } from '../conformance/example.ts';
import { until } from '../support/daemon.ts';
import { postgresPrograms, serverUser, startPostgres } from '../support/postgres-cluster.ts';
import { type RunningService, runCommand, startService, temporaryFolder } from '../support/service.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

const evidence = ['--evidence', join(caseFolder, 'evidence')];
const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as { scope: object };
const epilog = { ...request.scope, start_time: '2026-03-02T10:15:00Z', end_time: '2026-03-02T10:18:00Z' };
const guilty = { type: 'Node', node: 'node-03' };
const programs = postgresPrograms();

function smallDisk(context: TestContext): SmallDisk | null {
  const disk = mountSmallDisk(16);
  if (disk === null) context.skip('no file system can be mounted here');
  else context.after(() => disk.close());
  return disk;
}

/** Asks so many different requests at once, and returns the ids of the sessions that were acknowledged. */
async function acknowledged({ url }: RunningService, count: number): Promise<readonly string[]> {
  const asked = Array.from({ length: count }, (_, index) => ({ ...request, timeout_ms: 60_000 + index }));
  const answers = await Promise.all(asked.map(each => post(url, each)));
  const ids = answers.map(
    ({ body }) => body.attribution_session_id ?? assert.fail('an answer without a session'),
  );
  assert.equal(new Set(ids).size, count);
  return ids;
}

/** The answer is as ever, but names no session. */
async function assertAnswersWithout({ url }: RunningService, session: string): Promise<void> {
  const fast = await post(url, request);
  assert.equal(fast.status, 200);
  assert.deepEqual(fast.body.attributions[0]?.target, guilty);
  assert.equal(fast.body.attribution_session_id, null);
  const slow = await post(url, { ...request, phase: 'slow', scope: epilog, continue_session: session });
  assert.equal(slow.status, 200);
  assert.deepEqual(slow.body.attributions[0]?.target, guilty);
}

async function assertContinues({ url }: RunningService, sessions: readonly string[]): Promise<void> {
  for (const id of sessions) {
    const slow = await post(url, { ...request, phase: 'slow', scope: epilog, continue_session: id });
    assert.equal(slow.body.attribution_session_id, id);
  }
}

test('SQLite: on a full disk it answers without a session and says why; when space returns it saves again', async context => {
  const disk = smallDisk(context);
  if (disk === null) return;
  const state = join(disk.folder, 'state');
  const service = await startService([...evidence, '--state', state]);
  context.after(() => service.kill());
  const before = await acknowledged(service, 8);
  disk.fill();
  // What was allocated already may take a few more.
  let last = await post(service.url, request);
  for (let at = 0; at < 500 && last.body.attribution_session_id !== null; at += 1) {
    last = await post(service.url, request);
  }
  await assertAnswersWithout(service, before[0] ?? '');
  assert.match(service.stderr(), /state\.sqlite: no space is left for it: free space on that file system/);

  disk.free();
  const after = await acknowledged(service, 4);
  await assertContinues(service, [...before, ...after]);
  assert.equal(await service.stop(), 0);
  const file = new DatabaseSync(join(state, 'state.sqlite'));
  assert.equal(file.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok');
  file.close();
});

test('SQLite: killed on a full disk, it starts where it is full, or says why not, and has lost nothing', async context => {
  const disk = smallDisk(context);
  if (disk === null) return;
  const args = [...evidence, '--state', join(disk.folder, 'state')];
  const first = await startService(args);
  const sessions = await acknowledged(first, 8);
  disk.fill();
  await first.kill();
  const full = await startService(args).catch((error: Error) => error.message);
  if (typeof full === 'string') {
    assert.match(full, /\nattribution-adapter: state file .*: no space is left for it: .*\n$/);
  } else await full.kill();
  disk.free();
  const second = await startService(args);
  context.after(() => second.kill());
  await assertContinues(second, sessions);
});

test('SQLite: on a disk that became read-only it answers without a session; mounted anew, nothing is lost', async context => {
  const disk = smallDisk(context);
  if (disk === null) return;
  const args = [...evidence, '--state', join(disk.folder, 'state')];
  const first = await startService(args);
  context.after(() => first.kill());
  const sessions = await acknowledged(first, 8);
  disk.breakDown();
  await assertAnswersWithout(first, sessions[0] ?? '');
  assert.match(first.stderr(), /state\.sqlite: .*whether its file system became read-only/);
  const refused = await runCommand(['serve', '--listen', '127.0.0.1:0', ...args]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^attribution-adapter: state folder .*: its file system is read-only; .*\n$/);
  await first.kill();
  disk.repair();
  const second = await startService(args);
  context.after(() => second.kill());
  await assertContinues(second, sessions);
});

test('PostgreSQL: on a full disk it answers without a session and says why; when space returns it saves again', {
  skip: programs === null && 'PostgreSQL cannot be installed here',
}, async context => {
  const disk = smallDisk(context);
  if (disk === null) return;
  const space = join(disk.folder, 'space');
  mkdirSync(space, { mode: 0o700 });
  const user = serverUser();
  if (user !== null) for (const folder of [disk.folder, space]) chownSync(folder, user, user);
  const cluster = await startPostgres(programs ?? '');
  context.after(() => cluster.close());
  const postgres = cluster.database();
  cluster.sql(`CREATE TABLESPACE small LOCATION '${space}'`);
  const config = join(temporaryFolder(context), 'config.yaml');
  writeFileSync(config, JSON.stringify({ sessions: { store: 'postgres' }, postgres }));
  const service = await startService(evidence, { ATTRIBUTION_CONFIG: config });
  context.after(() => service.kill());
  for (const table of ['sessions', 'history', 'audit']) {
    cluster.sql(`ALTER TABLE ${table} SET TABLESPACE small`, postgres.database);
  }
  const before = await acknowledged(service, 8);
  disk.fill();
  const isFull = async () => (await post(service.url, request)).body.attribution_session_id === null;
  await until('the table is full', isFull, 60_000);
  assert.match(service.stderr(), /PostgreSQL at .*: no space is left for it: free space on its disk/);
  await assertAnswersWithout(service, before[0] ?? '');
  disk.free();
  await assertContinues(service, [...before, ...(await acknowledged(service, 4))]);
});
