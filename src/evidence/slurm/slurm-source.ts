import type { AttributionRequest } from '../../contract/index.ts';
import type { StateBatch, StateRow } from '../../core/batch.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { CollectPlan, Located, Source } from '../../core/ports.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { undoubtedNames } from '../../lines/undoubted-names.ts';
import { askedNodes } from '../asked.ts';
import { commandRunner } from '../command/run-command.ts';
import { askedWindow, coverageGroup } from '../coverage.ts';
import { aliasesOf, jobRecord, withAliases } from '../files/job-record.ts';
import { createHttpClient, type HttpTools } from '../http-client/http-client.ts';
import { groupsOf, type Verdict } from '../log-store/store-coverage.ts';
import { createCommandScheduler } from './commands/command-scheduler.ts';
import { parseJobId } from './job-id.ts';
import { apartFromPlanned, maintenanceRows } from './planned.ts';
import { schedulerDating } from './record-rows.ts';
import { remembering } from './remembering.ts';
import { createRestScheduler } from './rest/rest-scheduler.ts';
import { type Facts, nothingTold, type Scheduler, type Told } from './scheduler.ts';
import type { SlurmSettings } from './settings.ts';

/** What Slurm says of one job and its nodes: states, reasons and times, and where the job ran. */
export function createSlurmSource(settings: SlurmSettings, tools: HttpTools): Source {
  const scheduler = remembering(openScheduler(settings, tools), tools.clock);
  return {
    name: settings.name,
    origins: ['scheduler'],
    locate: (request, signal) => locateJob(settings.name, scheduler, request, signal),
    collect: (plan, signal) => collectStates(settings.name, scheduler, plan, signal),
    examine: (_wants, signal) => scheduler.examine(signal),
    close: () => scheduler.close(),
  };
}

function openScheduler({ name, access }: SlurmSettings, tools: HttpTools): Scheduler {
  return access.kind === 'rest'
    ? createRestScheduler(name, access.apiVersion, createHttpClient(name, access.http, tools), tools.clock)
    : createCommandScheduler(name, access.commands, commandRunner(access.run, tools.clock), tools.clock);
}

async function askJob(
  scheduler: Scheduler,
  workloadId: string,
  signal: AbortSignal,
): Promise<Told<readonly Facts[]>> {
  const id = parseJobId(workloadId);
  if (id === null) return { ...nothingTold, value: [], remarks: ['workload_id is no id of a job of Slurm'] };
  const told = await scheduler.job(id, signal);
  if (told.value.length > 0 || told.trouble !== null) return told;
  return { ...told, remarks: [...told.remarks, 'Slurm does not know the job any more, or never did'] };
}

function recordOf(rows: readonly StateRow[], workloadId: string) {
  const id = parseJobId(workloadId);
  return id === null ? null : jobRecord(rows, id.wanted.split('+', 1)[0] ?? id.base);
}

/** Nodes, times and addresses as Slurm knows them; null where it knows nothing of the job. */
async function locateJob(
  source: string,
  scheduler: Scheduler,
  request: AttributionRequest,
  signal: AbortSignal,
): Promise<Located | null> {
  const { value } = await askJob(scheduler, request.workloadId, signal);
  const rows = value.flatMap(facts => facts.rows);
  const record = recordOf(rows, request.workloadId);
  const names = record?.nodes ?? [];
  const known = names.length > 0 ? names : request.scope.nodes.filter(isNodeName);
  if (known.length === 0 && record === null) return null;
  const nodes = known.length === 0 ? null : await scheduler.nodes(known, signal);
  const aliases = aliasesOf(nodes?.value.flatMap(facts => facts.rows) ?? []);
  return {
    source,
    nodes: withAliases(known, aliases),
    nodesFrom: 'scheduler',
    jobStart: record?.start ?? null,
    jobEnd: record?.end ?? null,
    jobLastStamp: null,
    said:
      record === null
        ? `${source} does not know job ${request.workloadId}`
        : `nodes and times of job ${request.workloadId}: from ${source}`,
  };
}

/** A name that follows an option of a command, or stands in a path. */
function isNodeName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/.test(name);
}

async function* collectStates(
  source: string,
  scheduler: Scheduler,
  plan: CollectPlan,
  signal: AbortSignal,
): AsyncGenerator<StateBatch, readonly SourceCoverage[], void> {
  const dating = schedulerDating(source);
  const [job, upkeep] = await Promise.all([
    askJob(scheduler, plan.request.workloadId, signal),
    scheduler.maintenance(signal),
  ]);
  const names = namesToAsk(
    source,
    plan,
    job.value.flatMap(facts => facts.rows),
  );
  const nodes =
    names.size === 0
      ? { ...nothingTold, value: [] as readonly Facts[] }
      : await scheduler.nodes([...names.keys()].filter(isNodeName), signal);
  const window = askedWindow(plan, 'scheduler');
  const planned = maintenanceRows(upkeep.value.reservations, name => names.has(name), window, dating);
  const reserved = new Set(planned.map(({ name }) => name));
  const facts: readonly Facts[] = [
    ...job.value,
    ...nodes.value.map(({ query, rows }) => ({ query, rows: apartFromPlanned(rows, reserved, dating) })),
    { query: upkeep.value.query, rows: planned },
  ];
  const told = facts.filter(({ rows }) => rows.length > 0);
  for (const [sequence, { query, rows }] of told.entries()) yield batchOf(source, query, rows, sequence);
  const troubles = [
    job.trouble === null ? [] : [`the job could not be looked up: ${job.trouble.reason}`],
    nodes.trouble === null || nodes.value.every(({ rows }) => rows.length === 0)
      ? []
      : [`not all that Slurm knows of the nodes could be read: ${nodes.trouble.reason}`],
    upkeep.trouble === null ? [] : [`maintenance could not be looked up: ${upkeep.trouble.reason}`],
  ].flat();
  return [
    {
      source,
      origin: 'scheduler',
      window,
      query: told.map(({ query }) => query)[0] ?? null,
      filter: null,
      streams: told.length,
      lines: told.reduce((sum, { rows }) => sum + rows.length, 0),
      bytes: job.bytes + upkeep.bytes + nodes.bytes,
      groups: groupsOfStates(names, job, nodes),
      notYet: null,
      remarks: [...job.remarks, ...nodes.remarks, ...upkeep.remarks, ...troubles],
    },
  ];
}

/**
 * The job's node by name in Slurm. Slurm's own names of the job's nodes come first, since a caller may spell them with
 * their domain; nodes that the job's list lacks are asked for as they are spelled.
 */
function namesToAsk(source: string, plan: CollectPlan, rows: readonly StateRow[]): ReadonlyMap<string, string> {
  const listed = recordOf(rows, plan.request.workloadId)?.nodes ?? [];
  if (plan.nodes.length === 0) return new Map(listed.map(name => [name, name]));
  const wanted = new Set(askedNodes(source, plan));
  const directory = nodeDirectory(plan.nodes);
  const names = new Map<string, string>();
  for (const name of listed) {
    const match = directory.resolve(name);
    if (match.kind === 'one' && wanted.has(match.node)) names.set(name, match.node);
  }
  const undoubted = new Map(undoubtedNames(names, directory));
  const found = new Set(undoubted.values());
  for (const node of wanted) if (!found.has(node)) undoubted.set(node, node);
  return undoubted;
}

function groupsOfStates(
  names: ReadonlyMap<string, string>,
  job: Told<readonly Facts[]>,
  nodes: Told<readonly Facts[]>,
) {
  if (names.size === 0) {
    // Without nodes there is only what was said of the job as a whole.
    if (job.trouble !== null) return [coverageGroup(job.trouble.status, [], job.trouble.reason)];
    if (job.value.length > 0) return [coverageGroup('complete', [], null)];
    return [coverageGroup('absent', [], 'Slurm knows neither the job nor its nodes')];
  }
  const read = new Set(nodes.value.flatMap(({ rows }) => rows.map(({ name }) => name)));
  const verdicts = new Map<string, Verdict>();
  for (const [name, node] of names) {
    if (read.has(name)) verdicts.set(node, { status: 'complete', reason: null });
    else if (nodes.trouble !== null) {
      verdicts.set(node, { status: nodes.trouble.status, reason: nodes.trouble.reason });
    } else verdicts.set(node, { status: 'absent', reason: 'Slurm knows no node of this name' });
  }
  return groupsOf(verdicts);
}

function batchOf(source: string, query: string, rows: readonly StateRow[], sequence: number): StateBatch {
  return {
    kind: 'states',
    header: {
      source,
      origin: 'scheduler',
      format: 'slurm',
      node: null,
      stream: query,
      sequence,
      firstLine: 1,
      dating: { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null },
    },
    query,
    rows,
  };
}
