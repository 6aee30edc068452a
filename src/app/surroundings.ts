import { randomBytes } from 'node:crypto';
import type { Clock, Log, Metrics } from '../core/ports.ts';
import type { Tracer } from '../core/tracing.ts';

/** The outside that every part shares. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  readonly packageVersion: string;
  /** Absent where nobody collects them. */
  readonly metrics?: Metrics;
  /** Absent where nobody traces. */
  readonly tracer?: Tracer;
  /** Tells this adapter from every other: one that asks itself under another name is recognised by it. */
  readonly instanceId?: string;
}

const processId = randomBytes(16).toString('hex');
/** The id by which this adapter knows itself when it is asked under another name. */
export const ownId = ({ instanceId }: Surroundings): string => instanceId ?? processId;
