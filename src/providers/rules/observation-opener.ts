import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type OpenedObservation, openObservation, type Trust } from './open-observation.ts';

export interface OpenRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly trust: Trust;
}

export interface OpenedAnswer {
  readonly id: number;
  readonly opened: OpenedObservation | null;
}

/** Takes observations apart, large ones on a thread of their own: those of 16 MiB take up to a second. */
export interface ObservationOpener {
  /** See `openObservation`. Rejects where the thread ended. */
  open(bytes: Uint8Array, trust: Trust): Promise<OpenedObservation | null>;
  close(): Promise<void>;
}

/** Up to here the way to another thread costs more than it takes over: some milliseconds. */
const atOnceBytes = 256 * 1024;

interface Waiting {
  resolve(opened: OpenedObservation | null): void;
  reject(error: Error): void;
}

/** The thread starts with the first large observation, and anew where it ended. */
export function observationOpener(largerThan: number = atOnceBytes): ObservationOpener {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let asked = 0;

  function start(): Worker {
    const started = new Worker(new URL(`./observation-worker${extname(import.meta.url)}`, import.meta.url), {
      name: 'observations',
    });
    started.on('message', ({ id, opened }: OpenedAnswer) => {
      waiting.get(id)?.resolve(opened);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
    });
    let cause: unknown = null;
    started.once('error', error => {
      cause = error;
    });
    started.once('exit', () => {
      worker = null;
      const error = new Error('the thread that takes observations apart ended', { cause });
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    });
    return started;
  }

  return {
    async open(bytes, trust) {
      if (bytes.length <= largerThan) return openObservation(bytes, trust);
      worker ??= start();
      worker.ref();
      asked += 1;
      const { promise, resolve, reject } = Promise.withResolvers<OpenedObservation | null>();
      waiting.set(asked, { resolve, reject });
      const request: OpenRequest = { id: asked, bytes, trust };
      worker.postMessage(request);
      return promise;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
