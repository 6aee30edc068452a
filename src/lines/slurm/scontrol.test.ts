import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StateRow } from '../../core/batch.ts';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { parseScontrol } from './scontrol.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null, clock: 'slurm' };

function shown(rows: readonly StateRow[]): readonly string[] {
  return rows.map(({ entity, name, node, field, value, instant, line }) => {
    const time = instant.nanos === null ? '-' : formatNanos(instant.nanos);
    return `${line} ${entity} ${name} ${node ?? '-'} ${field}=${value} ${time}`;
  });
}

const node = `NodeName=node-03 Arch=x86_64 CoresPerSocket=48
   CPUAlloc=0 CPUEfctv=192 CPUTot=192 CPULoad=0.10
   Gres=gpu:h100:8
   NodeAddr=10.0.0.3 NodeHostName=node-03 Version=24.05.1
   OS=Linux 6.8.0-60-generic #63-Ubuntu SMP State=fake
   RealMemory=2000000 AllocMem=0 FreeMem=1900000 Sockets=2 Boards=1
   State=DOWN+DRAIN ThreadsPerCore=2 TmpDisk=0 Weight=1
   BootTime=2026-11-01T08:00:00 SlurmdStartTime=2026-11-01T08:02:00
   Reason=gres/gpu count reported lower than configured (7 < 8) [slurm@2026-11-30T12:03:41]
`;

test('reads a node in several lines', () => {
  assert.deepEqual(shown(parseScontrol(node, dating).rows), [
    '3 node node-03 node-03 gres=gpu:h100:8 -',
    '4 node node-03 node-03 node_addr=10.0.0.3 -',
    '4 node node-03 node-03 node_host_name=node-03 -',
    '7 node node-03 node-03 state=DOWN+DRAIN 2026-11-30T12:03:41Z',
    '8 node node-03 node-03 boot_time=2026-11-01T08:00:00 2026-11-01T08:00:00Z',
    '8 node node-03 node-03 slurmd_start_time=2026-11-01T08:02:00 2026-11-01T08:02:00Z',
    '9 node node-03 node-03 reason=gres/gpu count reported lower than configured (7 < 8) 2026-11-30T12:03:41Z',
  ]);
});

test('reads nodes in one line each, whatever words their reasons hold', () => {
  const text = [
    'NodeName=node-01 Arch=x86_64 State=IDLE ThreadsPerCore=2 BootTime=2026-11-01T08:00:00',
    'NodeName=node-02 Arch=x86_64 State=DRAIN Reason=NHC: Gres=7 State=BAD [root@2026-11-30T12:00:00] Comment=x y',
  ].join('\n');
  assert.deepEqual(shown(parseScontrol(text, dating, 5).rows), [
    '5 node node-01 node-01 state=IDLE -',
    '5 node node-01 node-01 boot_time=2026-11-01T08:00:00 2026-11-01T08:00:00Z',
    '6 node node-02 node-02 state=DRAIN 2026-11-30T12:00:00Z',
    '6 node node-02 node-02 reason=NHC: Gres=7 State=BAD 2026-11-30T12:00:00Z',
    '6 node node-02 node-02 comment=x y -',
  ]);
});

const job = `JobId=77 JobName=train JobState=NODE_FAIL
   UserId=user1(1001) GroupId=user1(1001) MCS_label=N/A
   JobState=FAILED Reason=NonZeroExitCode Dependency=(null)
   Requeue=0 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=1:0
   RunTime=02:03:41 TimeLimit=1-00:00:00 TimeMin=N/A
   StartTime=2026-11-30T10:00:00 EndTime=2026-11-30T12:03:41 Deadline=N/A
   NodeList=node-[01-02]
   BatchHost=node-01
     Nodes=node-[01-02] CPU_IDs=0-95 Mem=0 GRES=gpu:h100:8(IDX:0-7)
   Command=/home/user1/run.sh JobState=COMPLETED
`;

test('reads a job with its devices, and does not believe a state its name brings', () => {
  const plain = job.replace(' JobState=NODE_FAIL', '');
  assert.deepEqual(shown(parseScontrol(plain, dating).rows), [
    '3 job 77 - state=FAILED 2026-11-30T12:03:41Z',
    '3 job 77 - reason=NonZeroExitCode 2026-11-30T12:03:41Z',
    '4 job 77 - restarts=0 2026-11-30T12:03:41Z',
    '4 job 77 - exit_code=1:0 2026-11-30T12:03:41Z',
    '6 job 77 - start_time=2026-11-30T10:00:00 2026-11-30T10:00:00Z',
    '6 job 77 - end_time=2026-11-30T12:03:41 2026-11-30T12:03:41Z',
    '7 job 77 - node_list=node-[01-02] 2026-11-30T10:00:00Z',
    '8 job 77 - batch_host=node-01 2026-11-30T10:00:00Z',
    '9 job 77 node-01 gres_idx=gpu:h100:8(IDX:0-7) -',
    '9 job 77 node-02 gres_idx=gpu:h100:8(IDX:0-7) -',
  ]);
  const forged = parseScontrol(job, dating);
  assert.ok(forged.rows.every(({ field }) => field !== 'state'));
  assert.equal(forged.unread, 1);
});

test('does not take the limit of a running job for its end', () => {
  const text =
    'JobId=8 JobName=a JobState=RUNNING Reason=None StartTime=2026-11-30T10:00:00 EndTime=2026-12-01T10:00:00';
  assert.deepEqual(shown(parseScontrol(text, dating).rows), [
    '1 job 8 - state=RUNNING -',
    '1 job 8 - start_time=2026-11-30T10:00:00 2026-11-30T10:00:00Z',
  ]);
});

test('quotes the stretch that states the fact where a line is very long', () => {
  const text = `NodeName=node-01 State=DOWN OS=${'x'.repeat(10_000)} BootTime=2026-11-01T08:00:00`;
  assert.deepEqual(
    parseScontrol(text, dating).rows.map(row => row.text),
    ['State=DOWN', 'BootTime=2026-11-01T08:00:00'],
  );
});

test('a claim of billions of devices fills no memory', () => {
  const text =
    'JobId=8 JobName=a\n   JobState=RUNNING\n Nodes=n[0-999999999] CPU_IDs=0 Mem=0 GRES=gpu:8(IDX:0-7)\n';
  assert.deepEqual(shown(parseScontrol(text, dating).rows), ['2 job 8 - state=RUNNING -']);
});

test('never throws, and quotes what stands in the text', () => {
  const piece = fc.constantFrom(
    'NodeName=n1',
    'JobId=7',
    ' State=',
    'DOWN',
    ' Reason=',
    'a b',
    ' [root@2026-11-30T12:00:00]',
    '\n',
    '\r\n',
    ' Nodes=n[1-3]',
    ' GRES=gpu:1(IDX:0)',
    ' JobState=FAILED',
    ' ',
    '=',
  );
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = pieces.join('');
      for (const row of parseScontrol(text, dating).rows) {
        assert.ok(text.includes(row.text));
        assert.ok(row.value !== '');
      }
    }),
  );
});
