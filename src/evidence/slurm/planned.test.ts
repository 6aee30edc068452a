import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StateRow } from '../../core/batch.ts';
import { formatNanos, second } from '../../core/time.ts';
import { apartFromPlanned, maintenanceRows } from './planned.ts';
import { schedulerDating, timeOf } from './record-rows.ts';

const dating = schedulerDating('slurm');
const at = 1_796_126_400;

function state(value: string): StateRow {
  const instant = timeOf(at, dating).instant;
  assert.ok(instant !== null);
  return {
    entity: 'node',
    name: 'n1',
    node: 'n1',
    field: 'state',
    value,
    instant,
    line: 1,
    text: `State=${value}`,
  };
}

function shown(rows: readonly StateRow[]): readonly string[] {
  return rows.map(
    ({ value, instant }) => `${value} ${instant.nanos === null ? '-' : formatNanos(instant.nanos)}`,
  );
}

test('what was planned has not the time of what happened', () => {
  assert.deepEqual(shown(apartFromPlanned([state('DOWN+MAINTENANCE+NOT_RESPONDING')], new Set(), dating)), [
    'DOWN+NOT_RESPONDING 2026-12-01T12:00:00Z',
    'MAINTENANCE -',
  ]);
  assert.deepEqual(shown(apartFromPlanned([state('DOWN+REBOOT_ISSUED')], new Set(['n1']), dating)), [
    'DOWN 2026-12-01T12:00:00Z',
    'REBOOT_ISSUED -',
  ]);
});

test('words of maintenance give way to the reservation that tells since when', () => {
  assert.deepEqual(shown(apartFromPlanned([state('DOWN+MAINT')], new Set(['n1']), dating)), [
    'DOWN 2026-12-01T12:00:00Z',
  ]);
  const window = { from: BigInt(at) * second, to: BigInt(at + 600) * second };
  const reservation = (start: number, end: number) => ({
    name: 'r',
    nodes: 'n[1-2]',
    start: BigInt(start) * second,
    end: BigInt(end) * second,
    text: 'ReservationName=r',
  });
  const rows = (start: number, end: number) =>
    shown(maintenanceRows([reservation(start, end)], name => name === 'n1', window, dating));
  assert.deepEqual(rows(at + 60, at + 900), ['MAINT 2026-12-01T12:01:00Z']);
  assert.deepEqual(rows(at - 60, at), []);
  assert.deepEqual(rows(at + 600, at + 900), []);
});
