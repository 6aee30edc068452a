import { datetimeFromWire, datetimeToWire } from '../datetime-wire.ts';
import { list, member, plain, strings, text } from '../plain.ts';
import type { EpochNanos } from '../vocabulary.ts';

/** A failed attempt of a job, as a client of the dialect announces it. */
export interface AttributorRequest {
  /** `<job id>:cycle<N>:<nanoseconds>`, or any other text. */
  readonly id: string;
  /** As given: what an answer must repeat letter for letter. */
  readonly nodes: readonly string[];
  readonly jobStart: EpochNanos | null;
  readonly jobEnd: EpochNanos | null;
}

/** What is said of a workload besides, all of it for the other side's records. */
export interface AttributorLabels {
  readonly ranks: number;
  readonly ranksPerNode: number;
  readonly cluster: string;
  readonly tenant: string;
  readonly ruleset: string;
}

/** The body that creates an attributor. */
export function renderAttributorRequest(request: AttributorRequest, labels: AttributorLabels): object {
  const { ranks, ranksPerNode, cluster, tenant, ruleset } = labels;
  const time = (at: EpochNanos | null): string | undefined => (at === null ? undefined : datetimeToWire(at));
  return {
    workload: {
      id: request.id,
      type: 'slurm',
      srun_cmd: 'unknown',
      job_start_time: time(request.jobStart),
      job_end_time: time(request.jobEnd),
      status: 'FAILED',
      nranks: ranks,
      ranks_per_node: ranksPerNode,
      nodes: request.nodes,
      name: 'unknown',
      username: 'unknown',
      framework: 'unknown',
      exit_code_signal: 1,
    },
    metadata: { cluster, agent: 'attribution-adapter', tenant, ruleset },
  };
}

export type ReadAttributor =
  | { readonly ok: true; readonly request: AttributorRequest }
  | { readonly ok: false; readonly says: string };

const mostNodes = 100_000;
const longestName = 512;

/** Reads the body that creates an attributor: only `workload` must be there; duplicate and empty nodes are dropped. */
export function readAttributorRequest(body: unknown): ReadAttributor {
  const workload = member(plain(body), 'workload');
  if (typeof workload !== 'object' || workload === null || Array.isArray(workload)) {
    return { ok: false, says: 'workload: must be an object' };
  }
  const fields = plain(workload);
  const id = text(member(fields, 'id')) ?? '';
  if (id.length > longestName)
    return { ok: false, says: `workload.id: is longer than ${longestName} characters` };
  const nodes = [...new Set(strings(member(fields, 'nodes')))].filter(name => name !== '');
  if (nodes.length > mostNodes || nodes.some(name => name.length > longestName)) {
    return { ok: false, says: `workload.nodes: more than ${mostNodes} names, or one that is too long` };
  }
  if (list(member(fields, 'nodes')).some(name => typeof name !== 'string')) {
    return { ok: false, says: 'workload.nodes: must be a list of names' };
  }
  return { ok: true, request: { id, nodes, jobStart: timeOf(fields, 'start'), jobEnd: timeOf(fields, 'end') } };
}

function timeOf(workload: Readonly<Record<string, unknown>>, which: 'start' | 'end'): EpochNanos | null {
  const given = text(member(workload, `job_${which}_time`));
  return given === null ? null : datetimeFromWire(given);
}

/** The job and the attempt that an id speaks of; an id of another form is its own job. */
export function readWorkloadId(id: string): { readonly jobId: string; readonly cycle: number } {
  const found = /^(.{1,400}):cycle(\d{1,9}):\d{1,20}$/s.exec(id);
  const cycle = Number(found?.[2] ?? 0);
  return { jobId: found?.[1] ?? id, cycle };
}

export function writeWorkloadId(jobId: string, cycle: number, now: EpochNanos): string {
  return `${jobId}:cycle${cycle}:${now}`;
}

export function renderAttributorCreated(id: string): string {
  return JSON.stringify({ attributor_id: id });
}

/** The id of a created attributor, whatever JSON type it has; null where there is none. */
export function readAttributorCreated(body: unknown): string | null {
  const id = member(plain(body), 'attributor_id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
