import { Worker } from 'node:worker_threads';
import type { Corpus } from './corpus/corpus.ts';
import type { LineHit } from './recognize/hit.ts';
import type { LineJob, WorkerMessage } from './worker-messages.ts';

/** So many batches wait in each worker, so that it never waits for the main thread. */
export const batchesPerWorker = 2;

/** Lines live as long as a batch is read; left alone, the room for them would grow with every surge and stay. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 };

/** Who wants to know what became of a batch. */
export interface Task {
  readonly job: LineJob;
  done(hits: readonly LineHit[], buffer: ArrayBuffer): void;
  failed(error: Error): void;
}

/** Worker threads that live until they are closed. One that breaks off fails its batches and is replaced. */
export interface Workers {
  /** Whether some worker takes another batch now. */
  hasRoom(): boolean;
  /** Hands a batch to the worker with the fewest; the batch's buffer is transferred away. */
  start(task: Task): void;
  /** Set once no worker can be started: none has ever compiled the corpus. */
  broken(): Error | null;
  close(): Promise<void>;
}

interface Slot {
  readonly worker: Worker;
  readonly tasks: Map<number, Task>;
  ready: boolean;
}

/** `entry` and `data` start each worker; `onRoom` is called whenever a worker may take another batch. */
export function startWorkers(entry: URL, data: Corpus, size: number, onRoom: () => void): Workers {
  const slots = new Set<Slot>();
  let closed = false;
  let broken: Error | null = null;

  const spawn = (): void => {
    const worker = new Worker(entry, { workerData: data, resourceLimits });
    const slot: Slot = { worker, tasks: new Map(), ready: false };
    slots.add(slot);
    worker.unref();
    worker.on('message', (message: WorkerMessage) => {
      slot.ready = true;
      if (message.kind === 'done') settle(slot, message.id, task => task.done(message.hits, message.buffer));
      onRoom();
    });
    let cause: unknown = null;
    worker.once('error', error => {
      cause = error;
    });
    // Only by the time it exits has everything it said been heard, that it was ready included.
    worker.once('exit', code => lose(slot, cause ?? new Error(`the worker ended with code ${code}`)));
  };
  const settle = (slot: Slot, id: number, tell: (task: Task) => void): void => {
    const task = slot.tasks.get(id);
    slot.tasks.delete(id);
    if (slot.tasks.size === 0) slot.worker.unref();
    if (task !== undefined) tell(task);
  };
  const lose = (slot: Slot, cause: unknown): void => {
    if (closed || !slots.delete(slot)) return;
    const error = new Error('A recognition worker broke off while it read a batch.', { cause });
    if (slot.ready) spawn();
    else if (slots.size === 0) broken = new Error('No recognition worker could be started.', { cause });
    for (const task of [...slot.tasks.values()]) task.failed(error);
    onRoom();
  };
  for (let started = 0; started < size; started += 1) spawn();

  const idlest = (): Slot | undefined =>
    [...slots].reduce<Slot | undefined>(
      (best, slot) => (best === undefined || slot.tasks.size < best.tasks.size ? slot : best),
      undefined,
    );
  return {
    hasRoom: () => [...slots].some(slot => slot.tasks.size < batchesPerWorker),
    start(task) {
      const slot = idlest();
      if (slot === undefined) {
        task.failed(broken ?? new Error('the recognition pool is closed'));
        return;
      }
      slot.tasks.set(task.job.id, task);
      slot.worker.ref();
      slot.worker.postMessage(task.job, [task.job.bytes.buffer]);
    },
    broken: () => broken,
    async close() {
      closed = true;
      const ending = [...slots];
      slots.clear();
      for (const slot of ending) {
        for (const task of slot.tasks.values()) task.failed(new Error('the recognition pool is closed'));
      }
      await Promise.all(ending.map(slot => slot.worker.terminate()));
    },
  };
}
