import type { BatchHeader } from '../core/batch.ts';
import type { LineHit } from './recognize/hit.ts';

/** A batch of lines on its way to a worker; its buffer is transferred. */
export interface LineJob {
  readonly id: number;
  readonly header: BatchHeader;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly length: number;
  readonly ownFrom: number;
  readonly ownTo: number;
  /** Rules, by position in the corpus, that need not be looked for. */
  readonly skip: readonly number[];
}

/** What a worker says: that it has compiled the corpus, or what a batch held, with the buffer handed back. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly hits: readonly LineHit[];
      readonly buffer: ArrayBuffer;
    };
