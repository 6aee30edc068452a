import assert from 'node:assert/strict';
import type { StateBatch, StateRow } from '../../src/core/batch.ts';
import type { SourceCoverage } from '../../src/core/coverage.ts';
import type { CollectPlan, Source } from '../../src/core/ports.ts';
import { formatNanos } from '../../src/core/time.ts';

export interface CollectedStates {
  readonly batches: readonly StateBatch[];
  readonly rows: readonly StateRow[];
  readonly coverage: SourceCoverage;
}

/** Reads a source of states to its end. */
export async function collectStates(
  source: Source,
  plan: CollectPlan,
  signal: AbortSignal = new AbortController().signal,
): Promise<CollectedStates> {
  const batches: StateBatch[] = [];
  const collection = source.collect(plan, signal);
  for (;;) {
    const step = await collection.next();
    if (step.done === true) {
      const [coverage] = step.value;
      assert.ok(coverage !== undefined);
      return { batches, rows: batches.flatMap(batch => batch.rows), coverage };
    }
    assert.equal(step.value.kind, 'states');
    if (step.value.kind === 'states') batches.push(step.value);
  }
}

/** `job 42.0 node-01 state=FAILED 2026-11-30T12:00:00Z`, for comparison. */
export function shownRow({ entity, name, node, field, value, instant }: StateRow): string {
  const time = instant.nanos === null ? '-' : formatNanos(instant.nanos);
  return `${entity} ${name} ${node ?? '-'} ${field}=${value} ${time}`;
}

/** Values of one field of one entity. */
export function valuesOf(rows: readonly StateRow[], name: string, field: string): readonly string[] {
  return rows.filter(row => row.name === name && row.field === field).map(({ value }) => value);
}
