import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock } from '../../../../tests/support/log-lines.ts';
import { shownRow } from '../../../../tests/support/state-rows.ts';
import type { CommandOutput, RunCommand } from '../../command/run-command.ts';
import { type Told, trouble } from '../../log-store/log-store.ts';
import { parseJobId } from '../job-id.ts';
import { createCommandScheduler } from './command-scheduler.ts';

const never = new AbortController().signal;
const columnsOffered = 'JobID  State  ExitCode  NodeList  FailedNode  Start  End  User\n';

function output(text: string, exitCode = 0, complaint = ''): Told<CommandOutput> {
  return { ok: true, value: { text, bytes: text.length, complete: true, exitCode, complaint } };
}

/** Answers by the first words of a command, and remembers what was asked. */
function scripted(answers: Readonly<Record<string, Told<CommandOutput>>>) {
  const asked: string[] = [];
  const run: RunCommand = command => {
    const text = command.join(' ');
    asked.push(text);
    const key = Object.keys(answers).find(start => text.startsWith(start));
    return Promise.resolve(key === undefined ? output('') : (answers[key] ?? output('')));
  };
  const commands = { sacct: ['sacct'], scontrol: ['scontrol'] };
  return { asked, scheduler: createCommandScheduler('slurm', commands, run, machineClock) };
}

function job(text: string) {
  const id = parseJobId(text);
  assert.ok(id !== null);
  return id;
}

test('only columns that this sacct has are asked for, found out once', async () => {
  const { asked, scheduler } = scripted({ 'sacct -e': output(columnsOffered) });
  await scheduler.job(job('42'), never);
  await scheduler.job(job('43'), never);
  assert.deepEqual(
    asked.filter(text => text.startsWith('sacct')),
    [
      'sacct -e',
      'sacct -P -j 42 -o JobID,State,ExitCode,NodeList,FailedNode,Start,End',
      'sacct -P -j 43 -o JobID,State,ExitCode,NodeList,FailedNode,Start,End',
    ],
  );
});

test('what both commands state counts once, and each adds what the other lacks', async () => {
  const { scheduler } = scripted({
    'sacct -e': output(columnsOffered),
    'sacct -P': output(
      'JobID|State|ExitCode|NodeList|FailedNode|Start|End\n' +
        '42|NODE_FAIL|1:0|n[1-2]|n2|2026-12-01T11:00:00|2026-12-01T12:00:00\n',
    ),
    'scontrol -o -d show job': output(
      'JobId=42 JobName=train JobState=NODE_FAIL Reason=NodeDown ExitCode=1:0 StartTime=2026-12-01T11:00:00 EndTime=2026-12-01T12:00:00 NodeList=n[1-2]\n',
    ),
  });
  const { value, trouble: broken, remarks } = await scheduler.job(job('42'), never);
  assert.equal(broken, null);
  assert.deepEqual(remarks, []);
  assert.deepEqual(
    value.map(({ query, rows }) => [query, rows.map(shownRow)]),
    [
      [
        'sacct -P -j 42 -o JobID,State,ExitCode,NodeList,FailedNode,Start,End',
        [
          'job 42 n2 state=NODE_FAIL 2026-12-01T12:00:00Z',
          'job 42 n2 exit_code=1:0 2026-12-01T12:00:00Z',
          'job 42 n2 node_list=n[1-2] 2026-12-01T11:00:00Z',
          'job 42 n2 failed_node=n2 2026-12-01T12:00:00Z',
          'job 42 n2 start_time=2026-12-01T11:00:00 2026-12-01T11:00:00Z',
          'job 42 n2 end_time=2026-12-01T12:00:00 2026-12-01T12:00:00Z',
        ],
      ],
      ['scontrol -o -d show job 42', ['job 42 - reason=NodeDown 2026-12-01T12:00:00Z']],
    ],
  );
});

test('a job that the controller has forgotten is no trouble, an accounting that is off is said', async () => {
  const forgotten = output('', 1, 'slurm_load_jobs error: Invalid job id specified\n');
  const off = output('', 1, 'Slurm accounting storage is disabled\n');
  const { scheduler } = scripted({ 'sacct -P': off, 'scontrol -o -d show job': forgotten });
  const told = await scheduler.job(job('42'), never);
  assert.deepEqual(told.value, []);
  assert.match(told.trouble?.reason ?? '', /keeps no accounting/);
  const both = scripted({ 'sacct -P': output('JobID|State\n'), 'scontrol -o -d show job': forgotten });
  assert.deepEqual(await both.scheduler.job(job('42'), never), {
    value: [],
    bytes: 12,
    trouble: null,
    remarks: [],
  });
});

test('a controller that cannot be reached is a failure, without what it printed', async () => {
  const { scheduler } = scripted({
    scontrol: output(
      '',
      1,
      'slurm_load_node error: Unable to contact slurm controller (connect failure) 10.0.0.1',
    ),
  });
  const told = await scheduler.nodes(['n1'], never);
  assert.deepEqual(told.trouble, {
    status: 'failed',
    reason: 'scontrol ended with exit code 1, and could not reach Slurm',
    tooMuch: null,
  });
});

test('a command that cannot be run stays a failure', async () => {
  const failed = trouble('failed', 'scontrol cannot be run (ENOENT)');
  const { scheduler } = scripted({ scontrol: failed });
  assert.deepEqual((await scheduler.nodes(['n1'], never)).trouble, failed.trouble);
  assert.deepEqual((await scheduler.maintenance(never)).trouble, failed.trouble);
});

test('nodes are asked for as one host list, and those known are read though others are not', async () => {
  const { asked, scheduler } = scripted({
    'scontrol -o show node': output(
      'NodeName=n01 Arch=x86_64 State=DOWN+DRAIN BootTime=2026-11-30T08:00:00 Reason=Not responding [root@2026-12-01T12:00:00]\nNode n03 not found\n',
      1,
    ),
  });
  const told = await scheduler.nodes(['n01', 'n02', 'n03'], never);
  assert.equal(told.trouble, null);
  assert.deepEqual(asked, ['scontrol -o show node n[01-03]']);
  assert.deepEqual(told.value[0]?.rows.map(shownRow), [
    'node n01 n01 state=DOWN+DRAIN 2026-12-01T12:00:00Z',
    'node n01 n01 boot_time=2026-11-30T08:00:00 2026-11-30T08:00:00Z',
    'node n01 n01 reason=Not responding 2026-12-01T12:00:00Z',
  ]);
});

test('a task that scontrol calls by a number of its own goes by its name', async () => {
  const { scheduler } = scripted({
    'scontrol -o -d show job': output(
      'JobId=51 ArrayJobId=49 ArrayTaskId=1 JobName=a JobState=FAILED Reason=NonZeroExitCode\n' +
        'JobId=49 ArrayJobId=49 ArrayTaskId=2 JobName=a JobState=COMPLETED Reason=None\n',
    ),
  });
  const told = await scheduler.job(job('49_1'), never);
  assert.deepEqual(
    told.value.flatMap(({ rows }) => rows.map(({ name, field }) => `${name} ${field}`)),
    ['49_1 state', '49_1 reason'],
  );
});

test('reservations for maintenance, and no others', async () => {
  const { scheduler } = scripted({
    'scontrol -o show reservation': output(
      'ReservationName=upkeep StartTime=2026-12-01T11:00:00 EndTime=2026-12-01T13:00:00 Nodes=n[1-2] Flags=MAINT,IGNORE_JOBS Users=root State=ACTIVE\n' +
        'ReservationName=course StartTime=2026-12-01T11:00:00 EndTime=2026-12-01T13:00:00 Nodes=n3 Flags=SPEC_NODES Users=a Flags=MAINT\n' +
        'No reservations in the system\n',
    ),
  });
  const { value } = await scheduler.maintenance(never);
  assert.deepEqual(
    value.reservations.map(({ name, nodes, start }) => [name, nodes, start]),
    [['upkeep', 'n[1-2]', BigInt(Date.parse('2026-12-01T11:00:00Z')) * 1_000_000n]],
  );
});
