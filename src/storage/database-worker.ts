import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { StorageError } from '../core/storage-error.ts';
import { describeFault } from './describe-fault.ts';
import { groupCommit } from './group-commit.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import type { Statement } from './statement.ts';
import {
  type Ask,
  type FromWorker,
  type Reply,
  type SentStatement,
  sentResult,
  type ToWorker,
  type WorkerStart,
} from './worker-messages.ts';

/** Entry of the one thread that owns the database: node:sqlite is synchronous, and an fsync takes milliseconds. */
function serve(start: WorkerStart, port: NonNullable<typeof parentPort>): void {
  const say = (message: FromWorker): void => port.postMessage(message);
  const opened = openFile(start, say);
  if (opened === null) return;
  const database = opened;
  const commit = groupCommit(database);
  const texts: string[] = [];
  const received = ([text, ...values]: SentStatement): Statement => ({ sql: texts[text] ?? '', values });
  let waiting: Ask[] = [];
  let closing = false;

  function commitWaiting(): void {
    const group = waiting;
    waiting = [];
    const outcomes = group.length === 0 ? [] : commit.run(group.map(({ unit }) => unit.map(received)));
    const replies = group.map(({ id }, at): Reply => {
      const outcome = outcomes[at];
      return outcome?.ok === true
        ? { kind: 'done', id, results: outcome.results.map(sentResult) }
        : { kind: 'failed', id, ...describeFault(outcome?.error, start.file) };
    });
    if (replies.length > 0) say({ kind: 'ran', replies });
    if (closing && database.isOpen) {
      database.close();
      port.close();
    }
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') closing = true;
    const isFirst = waiting.length === 0;
    if (message.kind === 'run') {
      texts.push(...message.texts);
      waiting.push(...message.asks);
    }
    // Messages that are already here are delivered before an immediate runs: they share its commit.
    if (isFirst || closing) setImmediate(commitWaiting);
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
