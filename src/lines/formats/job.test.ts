import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating, ParsedLine } from '../line.ts';
import { job } from './job.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

function read(line: string): ParsedLine {
  const parsed = job.parse(line, dating);
  assert.ok(parsed !== null);
  return parsed;
}

/** Task, rank, host, pid, GPU, time and message of a line. */
function facts(line: string): readonly unknown[] {
  const { task, rank, host, pid, gpu, instant, messageAt } = read(line);
  const nanos = instant?.nanos ?? null;
  return [task, rank, host, pid, gpu, nanos === null ? null : formatNanos(nanos), line.slice(messageAt)];
}

const time = '2026-11-30T12:03:41Z';
const fine = '2026-11-30T12:03:41.123456Z';

test('a launcher label is a task, and the rank is what the library says', () => {
  assert.deepEqual(facts('0: [rank3]: Traceback'), [0, 3, null, null, null, null, 'Traceback']);
  assert.deepEqual(facts(' 7: hello'), [7, null, null, null, null, null, 'hello']);
  assert.deepEqual(facts('[1,12]<stderr>:boom'), [null, 12, null, null, null, null, 'boom']);
  assert.deepEqual(facts('[default3]:boom'), [null, null, null, null, null, null, 'boom']);
});

test('what Ray and LSF put before the lines of others is no message', () => {
  assert.deepEqual(facts('(pid=7, ip=10.0.0.3) boom'), [null, null, '10.0.0.3', 7, null, null, 'boom']);
  assert.deepEqual(facts('(pid=7) boom'), [null, null, null, 7, null, null, 'boom']);
  assert.deepEqual(facts('<<node-03>> boom'), [null, null, null, null, null, null, 'boom']);
  assert.deepEqual(facts('x <<node-03>> boom').at(-1), 'x <<node-03>> boom');
});

test('labels stack', () => {
  assert.deepEqual(
    facts('12: [rank12]:[E1130 12:03:41.123456789 ProcessGroupNCCL.cpp:616] [Rank 12] Watchdog caught'),
    [12, 12, null, null, null, fine, 'Watchdog caught'],
  );
  assert.deepEqual(facts('3: node-02:1234:1300 [3] NCCL INFO comm 0x1'), [
    3,
    null,
    'node-02',
    1234,
    3,
    null,
    'comm 0x1',
  ]);
  assert.deepEqual(
    facts('[2026-11-30 12:03:41] node-02:1234:1300 [3] misc/socket.cc:50 NCCL WARN socketProgress'),
    [null, null, 'node-02', 1234, 3, time, 'socketProgress'],
  );
});

test('the rank inside a process group is global in the default group only', () => {
  assert.equal(read('[PG ID 0 PG GUID 0(default_pg) Rank 3] Timeout').rank, 3);
  assert.equal(read('[PG ID 2 PG GUID 12(tensor) Rank 3] Timeout').rank, null);
  assert.equal(read('[rank9]:[PG ID 2 PG GUID 12(tensor) Rank 3] Timeout').rank, 9);
});

test('an NCCL line without a GPU has none', () => {
  assert.deepEqual(facts('node-02:1234:1300 [-1] NCCL INFO x'), [null, null, 'node-02', 1234, null, null, 'x']);
  assert.deepEqual(facts('node-02:1234:1300 NCCL INFO x'), [null, null, 'node-02', 1234, null, null, 'x']);
});

test('reads the stamps of frameworks', () => {
  const stamped: readonly (readonly [string, string, string])[] = [
    ['2026-11-30 12:03:41,123 - INFO - hello', '2026-11-30T12:03:41.123000Z', 'hello'],
    ['[2026-11-30 12:03:41,123] [INFO] [logging.py:96:log_dist] hello', '2026-11-30T12:03:41.123000Z', 'hello'],
    ['2026-11-30 12:03:41.123456 | INFO     | hello', fine, 'hello'],
    ['[NeMo W 2026-11-30 12:03:41 nemo_logging:349] hello', time, 'hello'],
    ['INFO:2026-11-30 12:03:41,123:jax:100: hello', '2026-11-30T12:03:41.123000Z', ':jax:100: hello'],
    ['E1130 12:03:41.123456  139876 coordination.cc:12] hello', fine, 'hello'],
    ['W1130 12:03:41.123456 139876 torch/distributed/run.py:792] hello', fine, 'hello'],
    ['2026-11-30 12:03:41.123456: E external/xla/a.cc:123] hello', fine, 'hello'],
    ['11/30/2026 12:03:41 - WARNING - hello', time, 'hello'],
    ['2026-11-30T12:03:41.123456789Z stderr F hello', fine, 'hello'],
    [' [2026-11-30 12:03:41] iteration      100/    500 | x', time, 'iteration      100/    500 | x'],
    ['  time      : 2026-11-30_12:03:41', time, ''],
  ];
  for (const [line, when, message] of stamped) {
    assert.equal(job.fits(line), true, line);
    assert.deepEqual(facts(line).slice(5), [when, message], line);
  }
});

test('reads launchers, and when a step was cancelled', () => {
  const step = read(
    'slurmstepd: error: *** STEP 77.0 ON node-01 CANCELLED AT 2026-11-30T12:03:41 DUE TO TIME LIMIT ***',
  );
  assert.equal(step.program, 'slurmstepd');
  assert.equal(formatNanos(step.instant?.nanos ?? 0n), time);
  const srun = read('srun: error: node-03: task 22: Killed');
  assert.deepEqual([srun.program, srun.host, srun.instant], ['srun', null, null]);
});

test('reads the worker prefixes of Ray and Open MPI, colours or not', () => {
  const colour = '\u001b[36m';
  assert.deepEqual(facts(`${colour}(Worker pid=12, ip=10.0.0.3)\u001b[0m hello`).slice(2, 4), ['10.0.0.3', 12]);
  assert.deepEqual(facts('[node-03:4711] *** Process received signal ***').slice(2, 4), ['node-03', 4711]);
});

test('stamps of two ranks in one stream are not exact to each other', () => {
  const a = read('1: 2026-11-30 12:03:41,123 - INFO - x');
  const b = read('2: 2026-11-30 12:03:41,123 - INFO - x');
  assert.notEqual(a.instant?.clock, b.instant?.clock);
});

test('knows the lines that only a job writes from those of a node', () => {
  const ofJob = [
    'Traceback (most recent call last):',
    '  File "/work/train.py", line 12, in main',
    ' iteration      100/    500 | consumed samples: 1',
    'srun: error: node-03: task 22: Killed',
    '0: NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.',
  ];
  const ofNode = [
    '[   12.345678] WARNING: CPU: 3 PID: 99 at kernel/x.c:1',
    '[Mon Nov 30 12:03:41 2026] WARNING: CPU: 3 PID: 99 at kernel/x.c:1',
    '2026-11-30T12:03:41,123456+00:00 WARNING: CPU: 3 PID: 99 at kernel/x.c:1',
    'Nov 30 12:03:41 node-01 kernel: ERROR: x',
    '2026-11-30T12:03:41.123456+00:00 node-01 kernel: [rank3]: x',
    '[Nov 30 2026 12:03:41] [ERROR] [tid 1] x',
    '[2026-11-30T12:03:41.123] error: Node node-03 not responding',
    'NodeName=node-01 State=DOWN',
    '77|train|NODE_FAIL',
  ];
  for (const line of ofJob) assert.equal(job.fits(line), true, line);
  for (const line of ofNode) assert.equal(job.fits(line), false, line);
});
