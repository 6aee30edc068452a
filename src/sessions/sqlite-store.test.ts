import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { rememberedLog } from '../../tests/support/remembered-log.ts';
import { sampleAnswer, sampleSession } from '../../tests/support/sample-session.ts';
import { sessionStoreSuite } from '../../tests/support/session-store-suite.ts';
import { openDatabase } from '../storage/database.ts';
import { databaseSessionStore } from './database-store.ts';

const root = mkdtempSync(join(tmpdir(), 'sessions-'));
after(() => rmSync(root, { recursive: true }));

let files = 0;
function freshFile(): string {
  files += 1;
  return join(root, `${files}`, 'state.db');
}

sessionStoreSuite('sqlite', async (clock, log, limits) => {
  const database = await openDatabase({ file: freshFile() });
  return { store: databaseSessionStore({ database, clock, log, limits }), close: () => database.close() };
});

async function openStore(file: string) {
  const database = await openDatabase({ file });
  const store = databaseSessionStore({ database, clock: fakeClock(), log: rememberedLog() });
  return { store, close: () => database.close() };
}

test('sqlite: a session and what was pushed to it are there after closing and opening again', async () => {
  const file = freshFile();
  const first = await openStore(file);
  const session = sampleSession('a');
  await first.store.open(session);
  await first.store.update({ ...session, answers: [sampleAnswer('r1')] });
  await first.store.append('a', Uint8Array.of(7));
  await first.close();

  const second = await openStore(file);
  const reread = await second.store.get('a', session.binding);
  assert.deepEqual(reread, { ...session, version: 1, answers: [sampleAnswer('r1')] });
  assert.deepEqual((await second.store.unread('a')).chunks, [Uint8Array.of(7)]);
  await second.close();
});

test('sqlite: every session acknowledged before a kill -9 is there', async () => {
  const file = freshFile();
  const writer = join(import.meta.dirname, '../../tests/support/session-writer.ts');
  const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: string[] = [];
  for await (const id of createInterface({ input: child.stdout })) {
    acknowledged.push(id);
    if (acknowledged.length === 200) child.kill('SIGKILL');
  }
  if (child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL');

  const { store, close } = await openStore(file);
  const missing: string[] = [];
  for (const id of acknowledged) {
    const session = await store.get(id, sampleSession(id).binding);
    if (session?.answers.length !== 1) missing.push(id);
  }
  assert.deepEqual(missing, []);
  await close();
});

test('sqlite: expired sessions are cleared away when a new one is opened', async () => {
  const database = await openDatabase({ file: freshFile() });
  const clock = fakeClock();
  const store = databaseSessionStore({ database, clock, log: rememberedLog() });
  await store.open(sampleSession('old', { createdAt: clock.now() }));
  await store.append('old', Uint8Array.of(1));
  await clock.advance(31 * 24 * 3600 * 1000);
  await store.open(sampleSession('new', { createdAt: clock.now() }));
  const [sessions, pushed] = await database.run([
    { sql: 'SELECT id FROM sessions', values: [] },
    { sql: 'SELECT mark FROM pushed', values: [] },
  ]);
  assert.deepEqual(sessions?.rows, [{ id: 'new' }]);
  assert.deepEqual(pushed?.rows, []);
  await database.close();
});
