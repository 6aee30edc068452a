import type { StateRow } from '../../core/batch.ts';
import type { SourceCheck } from '../../core/ports.ts';
import type { Nanos } from '../../core/time.ts';
import type { Trouble } from '../log-store/log-store.ts';
import type { JobId } from './job-id.ts';

/** What one question brought. */
export interface Facts {
  /** Returns the rows again. */
  readonly query: string;
  readonly rows: readonly StateRow[];
}

/** Time set aside for upkeep of nodes. */
export interface Maintenance {
  readonly name: string;
  /** As the scheduler writes them. */
  readonly nodes: string;
  readonly start: Nanos | null;
  readonly end: Nanos | null;
  /** The record as text. */
  readonly text: string;
}

export interface Told<T> {
  readonly value: T;
  readonly bytes: number;
  /** What could not be learned, and why; what stands in `value` holds all the same. */
  readonly trouble: Trouble | null;
  readonly remarks: readonly string[];
}

/** One way to ask Slurm. Nothing here throws for what goes wrong outside. */
export interface Scheduler {
  /** One job with its steps; no facts where Slurm does not know it. */
  job(id: JobId, signal: AbortSignal): Promise<Told<readonly Facts[]>>;
  /** These nodes; those that Slurm does not know bring no rows. */
  nodes(names: readonly string[], signal: AbortSignal): Promise<Told<readonly Facts[]>>;
  /** Reservations for maintenance. */
  maintenance(
    signal: AbortSignal,
  ): Promise<Told<{ readonly query: string; readonly reservations: readonly Maintenance[] }>>;
  /** Whether it answers, lets us in, and keeps jobs; for `doctor`. */
  examine(signal: AbortSignal): Promise<readonly SourceCheck[]>;
  close(): Promise<void>;
}

export const nothingTold = { bytes: 0, trouble: null, remarks: [] } as const;

/**
 * Facts of the second say what the first does not: where both state a field of one job, the first is believed, so that
 * one fact does not count as two.
 */
export function besides(first: readonly Facts[], second: readonly Facts[]): readonly Facts[] {
  const keyOf = ({ name, field }: StateRow): string => `${name} ${field}`;
  const stated = new Set(first.flatMap(({ rows }) => rows.map(keyOf)));
  return second.map(facts => ({ ...facts, rows: facts.rows.filter(row => !stated.has(keyOf(row))) }));
}
