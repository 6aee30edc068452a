import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StartupError } from '../core/errors.ts';
import { StorageError } from '../core/storage-error.ts';
import { prepareStateFile } from './state-folder.ts';
import type { Statement, StatementResult, Unit } from './statement.ts';
import {
  type Ask,
  type FromWorker,
  receivedResult,
  type SentStatement,
  type ToWorker,
  type WorkerStart,
} from './worker-messages.ts';

/** The embedded store, or one like it. */
export interface Database {
  /** Whose SQL it speaks. */
  readonly kind: 'sqlite' | 'postgres';
  /**
   * Runs the unit after all earlier ones and resolves once it is on the disk (reads included: they see only what is).
   * One result a statement. Rejects with StorageError, and then nothing of the unit was written.
   */
  run(unit: Unit): Promise<readonly StatementResult[]>;
  /** Finishes what was asked before, then closes the file. Later calls reject. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Path of the file; its folder is made. */
  readonly file: string;
  /** How long another process may hold the file before a call fails as `locked`. */
  readonly busyTimeoutMs?: number;
}

/** Little lives longer than a commit: what is young is looked through often, and its buffers are given back soon. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** In a surge a turn of the event loop is long: with so much the worker begins, and commits while this thread goes on. */
const mostTogether = 16;

interface Waiting {
  readonly resolve: (results: readonly StatementResult[]) => void;
  readonly reject: (error: StorageError) => void;
}

/** Opens the file in a worker of its own and brings its schema forward. Throws StartupError. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  prepareStateFile(options.file);
  const start: WorkerStart = { file: options.file, busyTimeoutMs: options.busyTimeoutMs ?? 5_000 };
  const worker = new Worker(workerUrl(), { workerData: start, name: 'storage', resourceLimits });
  await opened(worker, options.file);
  return databaseOn(worker, options.file);
}

/** Written in parts, since the compiler would leave a `.ts` in a URL as it is: the worker has this file's extension. */
function workerUrl(): URL {
  return new URL(`./database-worker${extname(import.meta.url)}`, import.meta.url);
}

function opened(worker: Worker, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (message: string, cause?: unknown): void => {
      void worker.terminate();
      reject(new StartupError(message, 1, { cause }));
    };
    worker.once('error', error => refuse(`state file ${file}: the storage worker did not start`, error));
    worker.once('message', (message: FromWorker) => {
      worker.removeAllListeners('error');
      if (message.kind === 'open') resolve();
      else refuse(message.kind === 'refused' ? message.message : `state file ${file}: unexpected answer`);
    });
  });
}

function databaseOn(worker: Worker, file: string): Database {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let gone: StorageError | null = null;
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));

  let asks: Ask[] = [];
  const numbers = new Map<string, number>();
  let newTexts: string[] = [];

  function sent({ sql, values }: Statement): SentStatement {
    let number = numbers.get(sql);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(sql, number);
      newTexts.push(sql);
    }
    return [number, ...values];
  }

  function give(message: ToWorker): void {
    worker.postMessage(message);
  }

  /** What is asked in one turn of the event loop goes to the worker together, as far as it is not too much. */
  function flush(): void {
    if (asks.length === 0) return;
    const together = asks;
    const texts = newTexts;
    asks = [];
    newTexts = [];
    try {
      give({ kind: 'run', texts, asks: together });
    } catch {
      // The worker got nothing, the texts neither: they go with what is asked next.
      newTexts = texts;
      const error = new StorageError(
        'failed',
        `state file ${file}: a value cannot be given to the storage worker`,
      );
      for (const { id } of together) take(id)?.reject(error);
    }
  }

  function take(id: number): Waiting | undefined {
    const taken = waiting.get(id);
    waiting.delete(id);
    // An idle store does not keep the process alive; an unfinished write does.
    if (waiting.size === 0 && gone === null) worker.unref();
    return taken;
  }

  function fail(reason: string): void {
    gone ??= new StorageError('closed', `state file ${file}: ${reason}`);
    for (const id of [...waiting.keys()]) take(id)?.reject(gone);
  }

  worker.on('message', (message: FromWorker) => {
    if (message.kind !== 'ran') return;
    for (const reply of message.replies) {
      if (reply.kind === 'done') take(reply.id)?.resolve(reply.results.map(receivedResult));
      else take(reply.id)?.reject(new StorageError(reply.fault, reply.message));
    }
  });
  worker.on('error', () => fail('the storage worker stopped: restart the service'));
  worker.on('exit', () => fail('it is closed'));
  worker.unref();

  return {
    kind: 'sqlite',
    run(unit) {
      if (gone !== null) return Promise.reject(gone);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        asks.push({ id, unit: unit.map(sent) });
        if (asks.length >= mostTogether) flush();
        else if (asks.length === 1) setImmediate(flush);
      });
    },
    async close() {
      if (gone === null) {
        gone = new StorageError('closed', `state file ${file}: it is closed`);
        worker.ref();
        flush();
        give({ kind: 'close' });
      }
      await ended;
    },
  };
}
