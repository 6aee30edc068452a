import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSacct } from '../../lines/slurm/sacct.ts';
import { parseScontrol } from '../../lines/slurm/scontrol.ts';
import { aliasesOf, bootTimes, jobIn, jobRecord } from './job-record.ts';

const dating = { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null, clock: 'table' };
const iso = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
const sacct = (...rows: string[]) =>
  parseSacct(['JobID|State|ExitCode|NodeList|Start|End', ...rows].join('\n'), dating).rows;

const requeued = sacct(
  '42|NODE_FAIL|1:0|node-[01-02]|2026-11-30T10:00:00|2026-11-30T11:00:00',
  '42|FAILED|1:0|node-[02-03]|2026-11-30T11:05:00|2026-11-30T12:00:00',
  '42.batch|FAILED|1:0|node-02|2026-11-30T11:05:00|2026-11-30T12:00:09',
  '43|RUNNING|0:0|node-09|2026-11-30T09:00:00|Unknown',
);

test('a job has the nodes of its own lines, from its first start to its last end', () => {
  assert.deepEqual(jobRecord(requeued, '42'), {
    id: '42',
    nodes: ['node-01', 'node-02', 'node-03'],
    start: iso('2026-11-30T10:00:00Z'),
    end: iso('2026-11-30T12:00:00Z'),
  });
});

test('a running job has no end, an unknown one no record', () => {
  assert.equal(jobRecord(requeued, '43')?.end, null);
  assert.equal(jobRecord(requeued, '4'), null);
  assert.equal(jobRecord(requeued, ''), null);
});

test('array tasks, components and steps belong to their job, other jobs do not', () => {
  const rows = sacct(
    '50_1|FAILED|1:0|node-01|2026-11-30T10:00:00|2026-11-30T11:00:00',
    '50_2|FAILED|1:0|node-02|2026-11-30T10:00:00|2026-11-30T11:00:00',
    '60+0|FAILED|1:0|node-03|2026-11-30T10:00:00|2026-11-30T11:00:00',
    '70.0|FAILED|1:0|node-04|2026-11-30T10:00:00|2026-11-30T11:00:00',
  );
  assert.deepEqual(jobRecord(rows, '50')?.nodes, ['node-01', 'node-02']);
  assert.deepEqual(jobRecord(rows, '50_2')?.nodes, ['node-02']);
  assert.deepEqual(jobRecord(rows, '60')?.nodes, ['node-03']);
  assert.deepEqual(jobRecord(rows, '70')?.nodes, ['node-04']);
  assert.equal(jobRecord(rows, '5'), null);
});

test('another job stands in only where a person pointed at tables that know no other', () => {
  const one = sacct('42|FAILED|1:0|node-01|2026-11-30T10:00:00|2026-11-30T11:00:00');
  assert.equal(jobIn(one, 'unknown', 'command-line')?.id, '42');
  assert.equal(jobIn(one, 'unknown', 'configured'), null);
  assert.equal(jobIn(requeued, 'unknown', 'command-line'), null);
});

test('node records give other names and boot times', () => {
  const { rows } = parseScontrol(
    'NodeName=node-01 Arch=x86_64\n   NodeAddr=10.0.0.1 NodeHostName=node-01\n   State=IDLE BootTime=2026-11-29T08:00:00 SlurmdStartTime=None\n',
    dating,
  );
  assert.deepEqual(aliasesOf(rows), new Map([['node-01', ['10.0.0.1']]]));
  assert.deepEqual(bootTimes(rows), new Map([['node-01', iso('2026-11-29T08:00:00Z')]]));
});
