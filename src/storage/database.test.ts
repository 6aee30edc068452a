import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { StartupError } from '../core/errors.ts';
import { openDatabase } from './database.ts';
import type { Unit } from './statement.ts';

const root = mkdtempSync(join(tmpdir(), 'storage-'));
after(() => rmSync(root, { recursive: true }));

let folders = 0;
function freshFile(): string {
  folders += 1;
  return join(root, `state-${folders}`, 'state.db');
}

const session = (id: string): Unit => [
  {
    sql: 'INSERT INTO sessions VALUES (?, 0, ?, ?, 0, NULL, 0, ?)',
    values: [id, 'w', 'f', new Uint8Array(1)],
  },
];
const count: Unit = [{ sql: 'SELECT count(*) AS n FROM sessions', values: [] }];

function refusal(fault: RegExp): (error: unknown) => boolean {
  return error => error instanceof StartupError && fault.test(error.message) && error.exitCode === 1;
}

test('folder 0700 and files 0600, the log of writes included', async () => {
  const file = freshFile();
  const database = await openDatabase({ file });
  await database.run(session('a'));
  const modes = ['', '-wal', '-shm'].map(suffix => statSync(file + suffix).mode & 0o777);
  assert.deepEqual(modes, [0o600, 0o600, 0o600]);
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
  await database.close();
});

test('a file of looser modes is closed to others, a folder with foreign files is refused', async () => {
  const file = freshFile();
  mkdirSync(join(file, '..'));
  chmodSync(join(file, '..'), 0o755);
  writeFileSync(file, '', { mode: 0o644 });
  await (await openDatabase({ file })).close();
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);

  const shared = freshFile();
  mkdirSync(join(shared, '..'));
  chmodSync(join(shared, '..'), 0o777);
  writeFileSync(join(shared, '..', 'notes.txt'), 'x');
  await assert.rejects(openDatabase({ file: shared }), refusal(/can be entered by other users.*chmod 700/));
  assert.equal(existsSync(shared), false);
});

test('many writes at once are all there, also after closing and opening again', async () => {
  const file = freshFile();
  const first = await openDatabase({ file });
  await Promise.all(Array.from({ length: 500 }, (_, at) => first.run(session(`s${at}`))));
  await first.close();
  const second = await openDatabase({ file });
  assert.equal((await second.run(count))[0]?.rows[0]?.['n'], 500n);
  await second.close();
});

test('closing finishes what was asked before and refuses what comes after', async () => {
  const database = await openDatabase({ file: freshFile() });
  const asked = database.run(session('a'));
  const closed = database.close();
  assert.equal((await asked)[0]?.changes, 1);
  await assert.rejects(database.run(count), { name: 'StorageError', fault: 'closed' });
  await closed;
  await database.close();
});

test('what cannot be handed to the worker rejects what was asked with it, and nothing after', async () => {
  const database = await openDatabase({ file: freshFile() });
  const detached = new Uint8Array(8);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const unit: Unit = [{ sql: 'SELECT ? AS given', values: [detached] }];
  for (let round = 0; round < 2; round += 1) {
    const asked = [database.run(count), database.run(unit)];
    const refused = { name: 'StorageError', fault: 'failed' };
    await Promise.all(asked.map(each => assert.rejects(each, refused)));
  }
  await Promise.all(Array.from({ length: 40 }, () => assert.rejects(database.run(unit))));
  assert.equal((await database.run(session('a')))[0]?.changes, 1);
  assert.equal((await database.run(count))[0]?.rows[0]?.['n'], 1n);
  await database.close();
});

test('a failing statement rejects its own call only', async () => {
  const database = await openDatabase({ file: freshFile() });
  const results = await Promise.allSettled([
    database.run(session('a')),
    database.run(session('a')),
    database.run(count),
  ]);
  assert.deepEqual(
    results.map(result => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  await database.close();
});

test('a file of a newer version is refused and left alone', async () => {
  const file = freshFile();
  await (await openDatabase({ file })).close();
  const newer = new DatabaseSync(file);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  await assert.rejects(
    openDatabase({ file }),
    refusal(/has schema 99, this version knows \d+: run the newer version/),
  );
  const reread = new DatabaseSync(file);
  assert.equal(reread.prepare('PRAGMA user_version').get()?.['user_version'], 99);
  reread.close();
});

test("another program's file is refused and left alone", async () => {
  const file = freshFile();
  mkdirSync(join(file, '..'), { mode: 0o700 });
  const foreign = new DatabaseSync(file);
  foreign.exec('CREATE TABLE recipes (name TEXT)');
  foreign.close();
  await assert.rejects(openDatabase({ file }), refusal(/belongs to another program/));
});

test('a damaged file is refused with a remedy', async () => {
  const file = freshFile();
  mkdirSync(join(file, '..'), { mode: 0o700 });
  writeFileSync(file, 'no database at all'.repeat(100));
  await assert.rejects(openDatabase({ file }), refusal(/damaged or no SQLite file: move it away/));
});

test('a file another process holds is refused as locked', async () => {
  const file = freshFile();
  await (await openDatabase({ file })).close();
  const holder = new DatabaseSync(file);
  holder.exec('BEGIN IMMEDIATE');
  await assert.rejects(openDatabase({ file, busyTimeoutMs: 1 }), refusal(/another process holds it/));
  holder.close();
});

test('a state folder below a file is refused with the reason', async () => {
  const file = freshFile();
  mkdirSync(join(file, '..'), { mode: 0o700 });
  writeFileSync(join(file, '..', 'plain'), '');
  await assert.rejects(
    openDatabase({ file: join(file, '..', 'plain', 'state.db') }),
    refusal(/a part of its path is a file/),
  );
});
