import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { groupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import type { Unit } from './statement.ts';
import { describeFault, StorageError } from './storage-error.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

/** Entry of the one thread that owns the database: node:sqlite is synchronous, and an fsync takes milliseconds. */
function serve(start: WorkerStart, port: NonNullable<typeof parentPort>): void {
  const say = (message: FromWorker): void => port.postMessage(message);
  const opened = openFile(start, say);
  if (opened === null) return;
  const database = opened;
  const commit = groupCommit(database);
  let waiting: { readonly id: number; readonly unit: Unit }[] = [];
  let closing = false;

  function commitWaiting(): void {
    const group = waiting;
    waiting = [];
    const outcomes = group.length === 0 ? [] : commit.run(group.map(({ unit }) => unit));
    for (const [at, { id }] of group.entries()) {
      const outcome = outcomes[at];
      if (outcome?.ok === true) say({ kind: 'done', id, results: outcome.results });
      else say({ kind: 'failed', id, ...describeFault(outcome?.error, start.file) });
    }
    if (closing && database.isOpen) {
      database.close();
      port.close();
    }
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') closing = true;
    else waiting.push({ id: message.id, unit: message.unit });
    // Messages that are already here are delivered before an immediate runs: they share its commit.
    if (waiting.length === 1 || closing) setImmediate(commitWaiting);
  });
  say({ kind: 'open' });
}

function openFile(start: WorkerStart, say: (message: FromWorker) => void): DatabaseSync | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(start.file, {
      timeout: start.busyTimeoutMs,
      enableForeignKeyConstraints: true,
      allowExtension: false,
    });
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    migrate(database, migrations, start.file);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof StorageError) say({ kind: 'refused', fault: error.fault, message: error.message });
    else say({ kind: 'refused', ...describeFault(error, start.file) });
    return null;
  }
}

if (parentPort !== null) serve(workerData as WorkerStart, parentPort);
