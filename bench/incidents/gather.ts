import type { Incident, IncidentRequest, SaidLine, Truth } from './incident.ts';
import type { Random } from './random.ts';
import { minute, type Stage, second } from './stage.ts';
import { renderDaemon, renderEpilog, renderJob, renderKernel, renderMetrics } from './text/render.ts';
import { jobText, nodesText, sacctText } from './text/scheduler.ts';
import { isoZulu } from './text/stamps.ts';

/** Whatever is left of it, in the forms that this cluster keeps. */
export function gather(stage: Stage, id: string, end: number, truth: Truth): Incident {
  const random = stage.random.fork('gather');
  const handling = { duplicated: random.chance(0.12), shuffled: random.chance(0.1) };
  const { needs } = stage;
  const oneLine = random.chance(0.3);
  const nodesKept = needs.scheduler && (stage.machines.length <= 256 || stage.nodeStates.size > 0);
  if (!nodesKept) needs.dates = true;
  const files = new Map([
    ...renderKernel(stage, handling),
    ...renderJob(stage, handling),
    ...renderMetrics(stage, end + 2 * minute),
  ]);
  if (needs.scheduler) {
    files.set('scheduler/sacct.txt', sacctText(stage));
    files.set('scheduler/slurmctld.log', renderDaemon(stage));
    if (nodesKept) files.set('scheduler/nodes.txt', nodesText(stage, oneLine));
    if (stage.gpusOfJob !== null || random.chance(0.4)) files.set('scheduler/job.txt', jobText(stage, oneLine));
  }
  const request = requestOf(stage, random, end);
  return {
    id,
    nodes: stage.machines.length,
    now: isoZulu(end + 20 * minute),
    request,
    files,
    slow:
      stage.epilogLines.length === 0
        ? null
        : { request: slowRequest(request, end), files: renderEpilog(stage) },
    truth,
    lines: linesOf(stage),
  };
}

function requestOf(stage: Stage, random: Random, end: number): IncidentRequest {
  const { job, machines } = stage;
  return {
    schema_version: '0.1.0',
    workload_id: job.id,
    scope: {
      nodes: machines.map(machine => machine.name),
      ranks: [],
      ...(random.chance(0.85) ? { start_time: isoZulu(job.start) } : {}),
    },
    failure_context: {
      detected_at: isoZulu(end + random.between(1, 90) * second),
      detection_signal: random.pick(['application_error', 'crash', 'error', 'nonzero_exit']),
    },
    timeout_ms: 600_000,
    workload_context: {
      workflow_id: `training-${job.name}`,
      attempt_index: random.int(0, 3),
      ...(random.chance(0.85) ? { job_end_time: isoZulu(end) } : {}),
    },
    phase: 'fast',
  };
}

function slowRequest(request: IncidentRequest, end: number): IncidentRequest {
  return {
    ...request,
    scope: { ...request.scope, start_time: isoZulu(end + minute), end_time: isoZulu(end + 15 * minute) },
    phase: 'slow',
  };
}

function linesOf(stage: Stage): readonly SaidLine[] {
  const readable = stage.kernelLines.filter(line => !stage.unreadable.has(line.machine));
  return [...readable, ...stage.jobLines, ...stage.daemonLines].sort(
    (a, b) => a.at - b.at || a.order - b.order,
  );
}
