import type { StorageFault } from '../core/storage-error.ts';
import type { StatementResult, Unit } from './statement.ts';

/** What the worker is started with. */
export interface WorkerStart {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

export interface Ask {
  readonly id: number;
  readonly unit: Unit;
}

export type Reply =
  | { readonly kind: 'done'; readonly id: number; readonly results: readonly StatementResult[] }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: StorageFault; readonly message: string };

/** Many travel together: in a surge a message each would cost more than what it asks for. */
export type ToWorker = { readonly kind: 'run'; readonly asks: readonly Ask[] } | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly fault: StorageFault; readonly message: string }
  | { readonly kind: 'ran'; readonly replies: readonly Reply[] };
