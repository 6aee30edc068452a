import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StateRow } from '../../core/batch.ts';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { parseSacct } from './sacct.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null, clock: 'slurm' };

function shown(rows: readonly StateRow[]): readonly string[] {
  return rows.map(({ name, node, field, value, instant, line }) => {
    const time = instant.nanos === null ? '-' : formatNanos(instant.nanos);
    return `${line} ${name} ${node ?? '-'} ${field}=${value} ${time}`;
  });
}

test('reads states, exit codes and failed nodes, dated by the row', () => {
  const text = [
    'JobID|JobName|State|ExitCode|NodeList|FailedNode|Start|End',
    '77|train|NODE_FAIL|1:0|node-[01-02]|node-02|2026-11-30T10:00:00|2026-11-30T12:03:41',
    '77.0|torchrun|CANCELLED by 0|0:15|node-01||2026-11-30T10:00:05|2026-11-30T12:03:42',
    '',
  ].join('\n');
  const { rows, unread } = parseSacct(text, dating);
  assert.equal(unread, 0);
  assert.deepEqual(shown(rows), [
    '2 77 node-02 state=NODE_FAIL 2026-11-30T12:03:41Z',
    '2 77 node-02 exit_code=1:0 2026-11-30T12:03:41Z',
    '2 77 node-02 node_list=node-[01-02] 2026-11-30T10:00:00Z',
    '2 77 node-02 failed_node=node-02 2026-11-30T12:03:41Z',
    '2 77 node-02 start_time=2026-11-30T10:00:00 2026-11-30T10:00:00Z',
    '2 77 node-02 end_time=2026-11-30T12:03:41 2026-11-30T12:03:41Z',
    '3 77.0 node-01 state=CANCELLED by 0 2026-11-30T12:03:42Z',
    '3 77.0 node-01 exit_code=0:15 2026-11-30T12:03:42Z',
    '3 77.0 node-01 node_list=node-01 2026-11-30T10:00:05Z',
    '3 77.0 node-01 start_time=2026-11-30T10:00:05 2026-11-30T10:00:05Z',
    '3 77.0 node-01 end_time=2026-11-30T12:03:42 2026-11-30T12:03:42Z',
  ]);
  assert.equal(rows[0]?.text, text.split('\n')[1]);
});

test('a job of several nodes is on none of them, and a running one has no end', () => {
  const text = 'JobID|State|NodeList|End\n8|RUNNING|node-[1-4]|Unknown\n';
  assert.deepEqual(shown(parseSacct(text, dating, { firstLine: 11 }).rows), [
    '12 8 - state=RUNNING -',
    '12 8 - node_list=node-[1-4] -',
  ]);
});

test('does not read a row whose columns a job name has shifted', () => {
  const text = 'JobID|JobName|State\n77|a|NODE_FAIL|FAILED\n78|b|COMPLETED\n';
  const { rows, unread } = parseSacct(text, dating);
  assert.deepEqual(shown(rows), ['3 78 - state=COMPLETED -']);
  assert.equal(unread, 1);
});

test('reads a table without header by the columns it was asked for, and none without either', () => {
  const columns = ['JobID', 'State', 'End'];
  const row = '77|FAILED|2026-11-30T12:03:41';
  assert.equal(parseSacct(row, dating, { columns }).rows.length, 2);
  assert.deepEqual(parseSacct(row, dating), { rows: [], unread: 1 });
});

test('reads times in the zone of the stream', () => {
  const text = 'JobID|State|End\n7|FAILED|2026-07-01T12:00:00\n';
  const [row] = parseSacct(text, { ...dating, zone: 'America/New_York' }).rows;
  assert.equal(row?.instant.nanos, BigInt(Date.parse('2026-07-01T16:00:00Z')) * 1_000_000n);
});

test('never throws, and quotes what stands in the text', () => {
  const piece = fc.constantFrom(
    '|',
    '\n',
    'JobID',
    'State',
    'FailedNode',
    '77',
    'n[1-2]',
    'n[0-999999999]',
    'FAILED',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = `JobID|State|FailedNode\n${pieces.join('')}`;
      for (const row of parseSacct(text, dating).rows) assert.ok(text.includes(row.text));
    }),
  );
});
