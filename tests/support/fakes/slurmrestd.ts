import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  type FakeServerOptions,
  startFakeServer,
} from './fake-server.ts';

/** A job as the fake keeps it; times are seconds since the epoch. */
export interface FakeJob {
  readonly id: number;
  readonly array?: { readonly id: number; readonly task: number };
  readonly het?: { readonly id: number; readonly offset: number };
  readonly state: string;
  readonly reason: string;
  readonly nodes: string;
  readonly failedNode?: string;
  readonly code: number;
  readonly signal: number;
  readonly start: number;
  readonly end: number;
  readonly gres?: readonly string[];
  readonly steps: readonly {
    readonly id: string;
    readonly state: string;
    readonly nodes: string;
    readonly code: number;
    readonly signal: number;
    readonly start: number;
    readonly end: number;
  }[];
}

export interface FakeNode {
  readonly name: string;
  readonly address: string;
  readonly state: readonly string[];
  readonly reason: string;
  readonly reasonAt: number;
  readonly boot: number;
}

export interface FakeSlurm {
  /** Numbers of the versions it has, such as 38. */
  readonly versions: readonly number[];
  readonly accounting?: boolean;
  readonly jobs: readonly FakeJob[];
  readonly nodes: readonly FakeNode[];
  readonly maintenance: readonly {
    readonly name: string;
    readonly nodes: string;
    readonly start: number;
    readonly end: number;
    readonly flags?: readonly string[];
  }[];
}

/** What a server may return that is well-formed and wrong. */
export const slurmContentFaults = [
  'NaN',
  'clock five minutes off',
  'future stamps',
  'no names',
  'duplicate records',
  'records in another order',
  'empty',
  'an error of Slurm',
  'errors beside records',
  'no paths',
] as const;
export type SlurmContentFault = (typeof slurmContentFaults)[number];

export interface FakeSlurmOptions extends FakeServerOptions {
  readonly slurm: FakeSlurm;
  readonly content?: SlurmContentFault | null;
  /** The token that requests must carry. */
  readonly token?: string;
}

/** A slurmrestd that writes each version's own shapes. */
export async function startFakeSlurmrestd(options: FakeSlurmOptions): Promise<FakeServer> {
  return startFakeServer(request => answer(request, options), options);
}

function answer({ path, headers }: FakeRequest, { slurm, content, token }: FakeSlurmOptions): FakeAnswer {
  if (token !== undefined && headers['x-slurm-user-token'] !== token) {
    return { status: 401, type: 'text/plain', body: 'Authentication failure' };
  }
  if (path === '/openapi/v3') {
    return json(200, { openapi: '3.0.3', paths: content === 'no paths' ? {} : pathsOf(slurm) });
  }
  const [, root, version, kind, name] = /^\/(slurm|slurmdb)\/v0\.0\.(\d+)\/(\w+)\/?(.*)$/.exec(path) ?? [];
  const number = Number(version);
  if (root === undefined || !slurm.versions.includes(number)) {
    return { status: 404, type: 'text/plain', body: 'Unable to find requested URL' };
  }
  const shape = shapes(number, content ?? null);
  if (content === 'an error of Slurm') return shape.error('jobs', 7000, 200);
  if (kind === 'reservations') return shape.list('reservations', slurm.maintenance.map(shape.reservation));
  if (kind === 'nodes' || kind === 'node') {
    const found = slurm.nodes.filter(node => kind === 'nodes' || node.name === decodeURIComponent(name ?? ''));
    return found.length === 0 ? shape.unknownNode() : shape.list('nodes', found.map(shape.node));
  }
  const jobs = slurm.jobs.filter(job => isAsked(job, name ?? ''));
  if (root === 'slurmdb') return shape.list('jobs', jobs.map(shape.stored));
  return jobs.length === 0 ? shape.unknownJob() : shape.list('jobs', jobs.map(shape.live));
}

function isAsked({ id, array, het }: FakeJob, name: string): boolean {
  if (array !== undefined && name === `${array.id}_${array.task}`) return true;
  return [id, array?.id, het?.id].some(number => String(number) === name);
}

function pathsOf({ versions, accounting = true }: FakeSlurm): Readonly<Record<string, unknown>> {
  const paths = versions.flatMap(number => {
    const below = `/slurm/v0.0.${number}`;
    const slash = number > 40 ? '/' : '';
    return [
      `${below}/job/{job_id}`,
      `${below}/node/{node_name}`,
      `${below}/nodes${slash}`,
      `${below}/reservations${slash}`,
      ...(accounting ? [`/slurmdb/v0.0.${number}/job/{job_id}`] : []),
    ];
  });
  return Object.fromEntries(paths.map(path => [path, { get: {} }]));
}

/** Smaller numbers are no time. */
const earliestTime = 1_000_000_000;

/** Seconds by which the server's clock is wrong. */
function clockOffset(content: SlurmContentFault | null): number {
  if (content === 'clock five minutes off') return 300;
  return content === 'future stamps' ? 10 * 365 * 86_400 : 0;
}

function spoiled(items: readonly unknown[], content: SlurmContentFault | null): readonly unknown[] {
  if (content === 'empty') return [];
  if (content === 'duplicate records') return [...items, ...items];
  return content === 'records in another order' ? items.toReversed() : items;
}

/**
 * How a version writes things. Up to v0.0.39 states are text and numbers bare, and the accounting of v0.0.38 calls
 * every exit code a success; later states are lists, most numbers boxed, and an exit code an object.
 */
function shapes(version: number, content: SlurmContentFault | null) {
  const old = version < 40;
  const number = (value: number | null): unknown => {
    if (content === 'NaN') return old ? 'NaN' : { set: true, infinite: false, number: 'NaN' };
    const told = value === null || value < earliestTime ? value : value + clockOffset(content);
    return old ? (told ?? 0) : { set: told !== null, infinite: false, number: told ?? 0 };
  };
  const state = (word: string): unknown => (old ? word : [word]);
  const exit = (code: number, signal: number): unknown => ({
    status: [signal > 0 ? 'SIGNALED' : code > 0 ? 'ERROR' : 'SUCCESS'],
    return_code: number(code),
    signal: { id: number(signal > 0 ? signal : null), name: signal > 0 ? 'TERM' : '' },
  });
  const oldStoredExit = { status: 'SUCCESS', return_code: 0 };
  const storedExit = (code: number, signal: number): unknown =>
    version === 38 ? oldStoredExit : exit(code, signal);
  const named = (name: string): string => (content === 'no names' ? '' : name);
  const list = (member: string, items: readonly unknown[]): FakeAnswer =>
    json(200, {
      meta: {},
      errors: content === 'errors beside records' ? [{ error_number: 7000, error: 'as Slurm calls it' }] : [],
      [member]: spoiled(items, content),
    });
  const error = (member: string, code: number, status: number): FakeAnswer =>
    json(status, { meta: {}, [member]: [], errors: [{ error_number: code, error: 'as Slurm calls it' }] });
  return {
    list,
    error,
    unknownJob: () => error('jobs', 2017, old ? 500 : 404),
    unknownNode: () =>
      old ? json(500, { nodes: [], errors: [{ errno: 2018 }] }) : json(200, { errors: [{ error_number: 0 }] }),
    reservation: ({
      name,
      nodes,
      start,
      end,
      flags = ['MAINT', 'IGNORE_JOBS'],
    }: FakeSlurm['maintenance'][number]) => ({
      name,
      node_list: nodes,
      flags,
      start_time: number(start),
      end_time: number(end),
      watts: old ? 4_294_967_294 : {},
    }),
    node: ({ name, address, state: words, reason, reasonAt, boot }: FakeNode) => ({
      name: named(name),
      address,
      hostname: name,
      ...(old
        ? { state: words[0]?.toLowerCase(), state_flags: words.slice(1) }
        : { state: words, next_state_after_reboot: ['INVALID'] }),
      reason,
      reason_changed_at: number(reasonAt),
      boot_time: number(boot),
      slurmd_start_time: number(boot + 60),
      gres: 'gpu:h100:8',
      gres_used: old ? '' : 'gpu:h100:0(IDX:N/A)',
      comment: '',
      extra: '',
      free_mem: old ? 4_294_967_294 : { set: false, infinite: false, number: 18_446_744_073_709_552_000 },
    }),
    live: (job: FakeJob) => ({
      job_id: job.id,
      array_job_id: number(job.array?.id ?? 0),
      array_task_id: old && job.array === undefined ? null : number(job.array?.task ?? null),
      het_job_id: number(job.het?.id ?? 0),
      het_job_offset: number(job.het?.offset ?? 0),
      job_state: state(job.state),
      state_reason: job.reason,
      nodes: job.nodes,
      batch_host: '',
      exit_code: old ? job.code * 256 + job.signal : exit(job.code, job.signal),
      derived_exit_code: old ? 0 : exit(0, 0),
      ...(old ? {} : { failed_node: job.failedNode ?? '' }),
      start_time: number(job.start),
      end_time: number(job.end),
      restart_cnt: 0,
      gres_detail: job.gres ?? [],
      admin_comment: '',
      system_comment: '',
    }),
    stored: (job: FakeJob) => ({
      job_id: job.id,
      array: {
        job_id: job.array?.id ?? 0,
        task_id: job.array === undefined && old ? null : number(job.array?.task ?? null),
      },
      het: {
        job_id: job.het?.id ?? 0,
        job_offset: job.het === undefined && old ? null : number(job.het?.offset ?? null),
      },
      state: { current: state(job.state), reason: job.reason },
      exit_code: storedExit(job.code, job.signal),
      derived_exit_code: storedExit(0, 0),
      ...(version > 38 ? { failed_node: job.failedNode ?? '' } : {}),
      nodes: job.nodes,
      time: { start: job.start, end: job.end },
      comment: old ? { administrator: null, system: null } : { administrator: '', system: '' },
      ...(version > 42 ? { restart_cnt: 0 } : {}),
      steps: job.steps.map(step => ({
        state: state(step.state),
        nodes: { range: step.nodes },
        exit_code: storedExit(step.code, step.signal),
        time:
          version === 38
            ? { start: step.start, end: step.end }
            : { start: number(step.start), end: number(step.end) },
        step: stepOf(version, job.id, step.id),
      })),
    }),
  };
}

/** Text with the job's id, an object, or the bare id, by version. */
function stepOf(version: number, job: number, id: string): unknown {
  if (version === 38) return { job_id: job, id: /^\d+$/.test(id) ? Number(id) : id, name: id };
  if (version === 39) return { id: { job_id: job, step_id: id }, name: id };
  return { id: `${job}.${id}`, name: id };
}

function json(status: number, body: unknown): FakeAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
