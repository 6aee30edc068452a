import type { MessagePort } from 'node:worker_threads';
import type { AttributionRequest } from '../../contract/index.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { LogFields } from '../../core/ports.ts';
import type { Session } from '../../core/session.ts';
import type { Nanos } from '../../core/time.ts';
import type { Unheard } from './allowance.ts';
import type { ModuleSettings } from './load-module.ts';
import type { Thrown } from './thrown.ts';

/** What a module's thread is started with. The port is not its parent port, which the module might use. */
export interface ThreadStart {
  readonly settings: ModuleSettings;
  readonly port: MessagePort;
  /** What the thread has sent and nobody has heard yet. */
  readonly unheard: Unheard;
}

export type ToThread =
  | {
      readonly kind: 'attribute';
      readonly call: number;
      readonly request: AttributionRequest;
      readonly session: Session;
      readonly now: Nanos;
      /** By which a service that the module asks goes on with the trace; none where there is no trace. */
      readonly traceHeaders: Readonly<Record<string, string>>;
    }
  /** The deadline of a call is near. */
  | { readonly kind: 'cut'; readonly call: number }
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'ready'; readonly corpusHash: string | null }
  /** It cannot serve; one line. */
  | { readonly kind: 'refused'; readonly says: string }
  | { readonly kind: 'report'; readonly call: number; readonly outcome: Outcome }
  | { readonly kind: 'outcome'; readonly call: number; readonly outcome: Outcome }
  | { readonly kind: 'malformed'; readonly call: number; readonly problem: string }
  | { readonly kind: 'failed'; readonly call: number; readonly thrown: Thrown }
  /** It has seen that a deadline is near: it yields. */
  | { readonly kind: 'heard'; readonly call: number }
  /** An error that belongs to no call. */
  | { readonly kind: 'stray'; readonly thrown: Thrown }
  | { readonly kind: 'malformed_report'; readonly problem: string }
  | {
      readonly kind: 'log';
      readonly call: number | null;
      readonly level: LogLevel;
      readonly fields: LogFields;
      readonly message: string;
    }
  /** Lines of the log beyond what a module may write. */
  | { readonly kind: 'dropped'; readonly lines: number }
  | { readonly kind: 'closed'; readonly thrown: Thrown | null };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
