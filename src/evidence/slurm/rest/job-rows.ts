import type { StateRow } from '../../../core/batch.ts';
import type { LineDating } from '../../../lines/line.ts';
import { isEnded, nodesOf, onlyNode } from '../../../lines/slurm/state-table.ts';
import { type Fact, recordRows, timeOf } from '../record-rows.ts';
import { exitCodeOf, listOf, member, numberOf, stateOf, textOf } from './values.ts';

const mostFailedNodes = 64;
const mostDeviceRows = 20_000;

/** Facts of jobs from the accounting (`/slurmdb/.../job/ID`), steps included. */
export function accountingRows(jobs: readonly unknown[], dating: LineDating): readonly StateRow[] {
  return jobs.flatMap((job, index) => {
    const name = jobName(job, {
      array: numberOf(member(job, 'array', 'job_id')),
      task: numberOf(member(job, 'array', 'task_id')),
      het: numberOf(member(job, 'het', 'job_id')),
      component: numberOf(member(job, 'het', 'job_offset')),
    });
    const state = stateOf(member(job, 'state', 'current'));
    const facts = jobFacts(
      {
        state,
        reason: textOf(member(job, 'state', 'reason')),
        exit: exitCodeOf(member(job, 'exit_code'), state),
        derived: exitCodeOf(member(job, 'derived_exit_code'), state),
        nodes: textOf(member(job, 'nodes')),
        failed: textOf(member(job, 'failed_node')),
        start: numberOf(member(job, 'time', 'start')),
        end: numberOf(member(job, 'time', 'end')),
        restarts: numberOf(member(job, 'restart_cnt')),
        admin: textOf(member(job, 'comment', 'administrator')),
        system: textOf(member(job, 'comment', 'system')),
      },
      dating,
    );
    const node = nodeOf(textOf(member(job, 'failed_node')), textOf(member(job, 'nodes')));
    const own = recordRows({ entity: 'job', name, node, line: index + 1 }, facts, dating);
    const steps = listOf(member(job, 'steps')).flatMap(step => stepRows(step, name, index + 1, dating));
    return [...own, ...steps];
  });
}

/** Facts of jobs that the controller still holds (`/slurm/.../job/ID`), with the GPUs each node gave. */
export function liveJobRows(jobs: readonly unknown[], dating: LineDating): readonly StateRow[] {
  return jobs.flatMap((job, index) => {
    const name = jobName(job, {
      array: numberOf(member(job, 'array_job_id')),
      task: numberOf(member(job, 'array_task_id')),
      het: numberOf(member(job, 'het_job_id')),
      component: numberOf(member(job, 'het_job_offset')),
    });
    const state = stateOf(member(job, 'job_state'));
    const nodes = textOf(member(job, 'nodes'));
    const start = numberOf(member(job, 'start_time'));
    const failed = textOf(member(job, 'failed_node'));
    const facts = [
      ...jobFacts(
        {
          state,
          reason: textOf(member(job, 'state_reason')),
          exit: exitCodeOf(member(job, 'exit_code'), state),
          derived: exitCodeOf(member(job, 'derived_exit_code'), state),
          nodes,
          failed,
          start,
          end: numberOf(member(job, 'end_time')),
          restarts: numberOf(member(job, 'restart_cnt')),
          admin: textOf(member(job, 'admin_comment')),
          system: textOf(member(job, 'system_comment')),
        },
        dating,
      ),
      {
        key: 'BatchHost',
        field: 'batch_host',
        value: textOf(member(job, 'batch_host')),
        instant: timeOf(start, dating).instant,
      },
      ...deviceFacts(nodes, listOf(member(job, 'gres_detail')).map(textOf)),
    ];
    return recordRows({ entity: 'job', name, node: nodeOf(failed, nodes), line: index + 1 }, facts, dating);
  });
}

interface JobValues {
  readonly state: string;
  readonly reason: string;
  readonly exit: string | null;
  readonly derived: string | null;
  readonly nodes: string;
  readonly failed: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly restarts: number | null;
  readonly admin: string;
  readonly system: string;
}

function jobFacts(job: JobValues, dating: LineDating): readonly Fact[] {
  const start = timeOf(job.start, dating);
  // Before a job is over, its end is the limit it may run to.
  const end = isEnded(job.state) ? timeOf(job.end, dating) : { text: '', instant: null };
  const failed = nodesOf(job.failed, mostFailedNodes);
  const at = end.instant;
  return [
    { key: 'JobState', field: 'state', value: job.state, instant: at },
    { key: 'Reason', field: 'reason', value: job.reason, instant: at },
    { key: 'ExitCode', field: 'exit_code', value: job.exit ?? '', instant: at },
    { key: 'DerivedExitCode', field: 'derived_exit_code', value: job.derived ?? '', instant: at },
    { key: 'NodeList', field: 'node_list', value: job.nodes, instant: start.instant },
    ...failed.map(node => ({ key: 'FailedNode', field: 'failed_node', value: node, instant: at, node })),
    { key: 'StartTime', field: 'start_time', value: start.text, instant: start.instant },
    { key: 'EndTime', field: 'end_time', value: end.text, instant: at },
    {
      key: 'Restarts',
      field: 'restarts',
      value: job.restarts === null ? '' : String(job.restarts),
      instant: at,
    },
    { key: 'AdminComment', field: 'admin_comment', value: job.admin, instant: at },
    { key: 'SystemComment', field: 'system_comment', value: job.system, instant: at },
  ];
}

/** One entry a node, in the order of the node list: `gpu:h100:8(IDX:0-7)`. */
function deviceFacts(nodes: string, gres: readonly string[]): readonly Fact[] {
  const names = nodesOf(nodes, mostDeviceRows);
  if (names.length !== gres.length) return [];
  return names.map((node, index) => ({
    key: 'GRES',
    field: 'gres_idx',
    value: gres[index] ?? '',
    instant: null,
    node,
  }));
}

function stepRows(step: unknown, job: string, line: number, dating: LineDating): readonly StateRow[] {
  const id = stepId(step);
  if (id === null) return [];
  const state = stateOf(member(step, 'state'));
  const nodes = textOf(member(step, 'nodes', 'range'));
  const start = timeOf(numberOf(member(step, 'time', 'start')), dating);
  const end = isEnded(state)
    ? timeOf(numberOf(member(step, 'time', 'end')), dating)
    : { text: '', instant: null };
  const facts: readonly Fact[] = [
    { key: 'State', field: 'state', value: state, instant: end.instant },
    {
      key: 'ExitCode',
      field: 'exit_code',
      value: exitCodeOf(member(step, 'exit_code'), state) ?? '',
      instant: end.instant,
    },
    { key: 'NodeList', field: 'node_list', value: nodes, instant: start.instant },
    { key: 'StartTime', field: 'start_time', value: start.text, instant: start.instant },
    { key: 'EndTime', field: 'end_time', value: end.text, instant: end.instant },
  ];
  return recordRows({ entity: 'job', name: `${job}.${id}`, node: onlyNode(nodes), line }, facts, dating);
}

/** `"42.batch"`, `"batch"`, `0`, or an object with `step_id`, by version. */
function stepId(step: unknown): string | null {
  const id = member(step, 'step', 'id');
  if (typeof id === 'object') return stepName(member(id, 'step_id'));
  return typeof id === 'string' ? stepName(id.slice(id.lastIndexOf('.') + 1)) : stepName(id);
}

const specialSteps: Readonly<Record<number, string>> = {
  4294967291: 'batch',
  4294967292: 'extern',
  4294967290: 'interactive',
};

function stepName(id: unknown): string | null {
  if (typeof id === 'string' && /^[0-9A-Za-z+]{1,32}$/.test(id)) return id;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  return specialSteps[id] ?? String(id);
}

interface JobPlace {
  readonly array: number | null;
  readonly task: number | null;
  readonly het: number | null;
  readonly component: number | null;
}

/** As `sacct` prints it: `42`, `42_7`, `42+1`. */
function jobName(job: unknown, { array, task, het, component }: JobPlace): string {
  const id = numberOf(member(job, 'job_id')) ?? 0;
  if (array !== null && array > 0 && task !== null) return `${array}_${task}`;
  if (het !== null && het > 0) return `${het}+${component ?? 0}`;
  return String(id);
}

function nodeOf(failed: string, nodes: string): string | null {
  return onlyNode(failed === '' ? nodes : failed);
}
