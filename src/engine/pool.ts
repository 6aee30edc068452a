import { isMarkedAsUntransferable } from 'node:worker_threads';
import type { Batch, LineBatch } from '../core/batch.ts';
import type { Corpus } from './corpus/corpus.ts';
import { type Gathering, gatheringsOver } from './fold/gathering.ts';
import type { Recognition, RecognitionPool } from './recognition.ts';
import { createRecognizer } from './recognize/recognizer.ts';
import type { LineJob } from './worker-messages.ts';
import { batchesPerWorker, startWorkers, type Workers } from './workers.ts';

export interface PoolOptions {
  /** Worker threads; 0 recognises on the calling thread. */
  readonly workers: number;
  /** Takes back the buffer of each batch of lines once it has been read. */
  readonly onBuffer?: (buffer: ArrayBuffer) => void;
  /** Beyond so many symptoms victims are merged by rule. */
  readonly maxSymptoms?: number;
}

/** A pool for a corpus that loads. Workers start at once and compile while the first batches are read. */
export function createRecognitionPool(corpus: Corpus, options: PoolOptions): RecognitionPool {
  if (options.workers === 0) return createInlinePool(corpus, options);
  const turns = new Set<Turn>();
  let jobs = 0;
  let closed = false;
  /** Requests take turns, one batch each, so that a large one does not hold up a small one. */
  const pump = (): void => {
    while (workers.hasRoom()) {
      const turn = [...turns].find(each => each.hasNext());
      if (turn === undefined) return;
      turns.delete(turn);
      turns.add(turn);
      jobs += 1;
      turn.startNext(workers, jobs);
    }
    const broken = workers.broken();
    if (broken !== null) for (const turn of turns) turn.fail(broken);
  };
  const openGathering = gatheringsOver(corpus, options.maxSymptoms);
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const entry = new URL(`./worker${extension}`, import.meta.url);
  const workers = startWorkers(entry, corpus, options.workers, pump);
  return {
    corpusHash: corpus.hash,
    open() {
      if (closed) throw new Error('the recognition pool is closed');
      const gathering = openGathering();
      const room = options.workers * batchesPerWorker;
      const turn = createTurn(gathering, room, options.onBuffer ?? ignoreBuffer, pump);
      turns.add(turn);
      return {
        submit: turn.submit,
        symptoms: turn.symptoms,
        end() {
          turns.delete(turn);
          turn.fail(new Error('the recognition has ended'));
        },
      };
    },
    broken: () => workers.broken(),
    async close() {
      closed = true;
      for (const turn of turns) turn.fail(new Error('the recognition pool is closed'));
      await workers.close();
    },
  };
}

/** One request's batches: those that wait for a worker, and those with one. */
interface Turn {
  hasNext(): boolean;
  startNext(workers: Workers, id: number): void;
  fail(error: Error): void;
  submit(batch: Batch): Promise<void>;
  symptoms: Recognition['symptoms'];
}

function createTurn(
  gathering: Gathering,
  room: number,
  onBuffer: (buffer: ArrayBuffer) => void,
  pump: () => void,
): Turn {
  let waiting: LineBatch[] = [];
  let running = 0;
  let failure: Error | null = null;
  let wakers: (() => void)[] = [];

  const wake = (): void => {
    const woken = wakers;
    wakers = [];
    for (const waker of woken) waker();
  };
  const fail = (error: Error): void => {
    failure ??= error;
    for (const batch of waiting) onBuffer(batch.bytes.buffer);
    waiting = [];
    wake();
  };
  /** Waits until no more than `left` batches are unread. */
  const drained = async (left: number): Promise<void> => {
    while (failure === null && waiting.length + running > left) {
      await new Promise<void>(resolve => wakers.push(resolve));
    }
    if (failure !== null) throw failure;
  };
  return {
    hasNext: () => waiting.length > 0,
    startNext(workers, id) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      const { header } = batch;
      running += 1;
      workers.start({
        job: lineJob(batch, id, gathering.skipFor(header)),
        done(hits, buffer) {
          running -= 1;
          onBuffer(buffer);
          if (failure === null) gathering.addHits(header, hits);
          wake();
        },
        failed(error) {
          running -= 1;
          fail(error);
        },
      });
    },
    fail,
    async submit(batch) {
      if (failure !== null) throw failure;
      if (batch.kind !== 'lines') {
        addRows(gathering, batch);
        return;
      }
      waiting.push(batch);
      pump();
      await drained(room);
    },
    async symptoms() {
      await drained(0);
      return gathering.symptoms();
    },
  };
}

function lineJob(batch: LineBatch, id: number, skip: readonly number[]): LineJob {
  const { header, length, ownFrom, ownTo } = batch;
  const bytes = isMarkedAsUntransferable(batch.bytes.buffer) ? batch.bytes.slice(0, length) : batch.bytes;
  return { id, header, bytes, length, ownFrom, ownTo, skip };
}

function addRows(gathering: Gathering, batch: Exclude<Batch, LineBatch>): void {
  if (batch.kind === 'states') gathering.addStates(batch);
  else gathering.addSamples(batch);
}

function ignoreBuffer(): void {}

/** Recognises on the calling thread, which is simplest to debug. */
function createInlinePool(corpus: Corpus, options: PoolOptions): RecognitionPool {
  const recognizer = createRecognizer(corpus);
  const openGathering = gatheringsOver(corpus, options.maxSymptoms);
  const onBuffer = options.onBuffer ?? ignoreBuffer;
  return {
    corpusHash: corpus.hash,
    open() {
      const gathering = openGathering();
      return {
        async submit(batch) {
          if (batch.kind !== 'lines') {
            addRows(gathering, batch);
            return;
          }
          gathering.addHits(batch.header, recognizer.recognize(batch, gathering.skipFor(batch.header)));
          onBuffer(batch.bytes.buffer);
        },
        symptoms: async () => gathering.symptoms(),
        end() {},
      };
    },
    broken: () => null,
    async close() {},
  };
}
