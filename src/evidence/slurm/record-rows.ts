import type { StateRow } from '../../core/batch.ts';
import { formatNanos, type Instant, type Nanos, second } from '../../core/time.ts';
import type { LineDating } from '../../lines/line.ts';
import { isStated, quote, undated } from '../../lines/slurm/state-table.ts';
import { dateIso } from '../../lines/stamp-dating.ts';

/** One value of a record, under the name that `scontrol` prints and the field that rules know. */
export interface Fact {
  readonly key: string;
  readonly field: string;
  readonly value: string;
  readonly instant: Instant | null;
  /** Where the value speaks of another node than the record. */
  readonly node?: string;
}

/** Rows of one record, whose text is the record as `scontrol -o` would print it. */
export function recordRows(
  record: {
    readonly entity: 'job' | 'node';
    readonly name: string;
    readonly node: string | null;
    readonly line: number;
  },
  facts: readonly Fact[],
  dating: LineDating,
): readonly StateRow[] {
  const { entity, name, node, line } = record;
  const told = facts.filter(({ value }) => isStated(value));
  const label = entity === 'job' ? (name.includes('.') ? 'StepId' : 'JobId') : 'NodeName';
  const keys = new Map(told.map(({ key, value }) => [key, value]));
  const text = [`${label}=${name}`, ...[...keys].map(([key, value]) => `${key}=${value}`)].join(' ');
  return told.map(({ field, value, instant, node: other }) => ({
    entity,
    name,
    node: other ?? node,
    field,
    value,
    instant: instant ?? undated(dating, line),
    line,
    text: quote(text.replace(/[\r\n]/g, ' '), 0, text.length),
  }));
}

/** Seconds since the epoch as Slurm prints them, and as an instant. */
export function timeOf(
  seconds: number | null,
  dating: LineDating,
): { readonly text: string; readonly instant: Instant | null; readonly nanos: Nanos | null } {
  if (seconds === null || seconds <= 0) return { text: '', instant: null, nanos: null };
  const nanos = BigInt(Math.trunc(seconds)) * second;
  const text = formatNanos(nanos).replace('Z', '');
  return { text, instant: dateIso(text, dating), nanos };
}

/** Everything that is asked of Slurm is told in UTC. */
export function schedulerDating(source: string): LineDating {
  return { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null, clock: source };
}
