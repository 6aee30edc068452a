import { renderAttributorRequest, writeFailureHeader, writeWorkloadId } from '../../contract/dialect/index.ts';
import type { AttributionRequest } from '../../contract/index.ts';
import type { Outcome, Problem } from '../../core/outcome.ts';
import type { CollectPlan, ProviderContext } from '../../core/ports.ts';
import type { Window } from '../../core/time.ts';
import { readNodeLocal } from '../../engine/node-coverage.ts';

import type { HttpFailure } from '../../evidence/http-client/failure.ts';
import { locateAll, remarkOnLate } from '../../evidence/locate-all.ts';
import { epilogProblem } from '../rules/epilog-problem.ts';
import { type JobFacts, jobFacts } from '../rules/job.ts';
import { scopeOfRequest } from '../rules/reading-scope.ts';
import { scopedOutcome } from '../scoped-outcome.ts';
import { amendCoverage } from './amend-coverage.ts';
import type { FactTools } from './fact-tools.ts';
import { type Gathered, gather } from './gather.ts';
import type { RemoteFact } from './remote.ts';
import { remoteFindings } from './remote-findings.ts';
import type { FactSettings } from './settings.ts';
import { submitAll } from './submit-all.ts';

export interface AskParts extends FactTools, FactSettings {
  readonly remote: RemoteFact;
}

/** Reading may take this share of the time; the rest is the service's. */
const readingShare = 0.5;

/** Locate, gather, create, submit, read. Every failure is a problem of the outcome; none of it is thrown. */
export async function askRemote(
  parts: AskParts,
  request: AttributionRequest,
  context: ProviderContext,
): Promise<Outcome> {
  const { soft } = context;
  const { located, late: unlocated } = await locateAll(parts.sources, request, soft, parts.log, parts);
  const facts = jobFacts(request, located);
  const plan = planOf(parts, request, facts, context);
  const span = spanOf(plan);
  const inTime = await gatherInTime(parts, plan, request, soft);
  const gathered = { ...inTime, coverage: remarkOnLate(inTime.coverage, unlocated) };
  context.report({ findings: [], unattributed: [], coverage: gathered.coverage, problem: null });
  const ended = (coverage: Outcome['coverage'], problem: Problem | null): Outcome => ({
    findings: [],
    unattributed: [],
    coverage,
    problem,
  });
  if (soft.aborted) return ended(gathered.coverage, late);

  const nodes = facts.nodes.map(({ name }) => name);
  const known = nodes.length > 0 ? nodes : [...gathered.byNode.keys()].filter(name => name !== '').sort();
  const created = await parts.remote.create(
    attributorBody(parts, request, facts, known, span, context),
    details(request),
    soft,
  );
  if (!created.ok) return ended(gathered.coverage, problemOf(created.failure, soft));

  const submitted = await submitAll(parts, created.value, gathered, span, soft);
  const coverage = amendCoverage(gathered.coverage, node => submitted.statuses.get(node) ?? null);
  context.report(ended(coverage, null));
  if (soft.aborted) return ended(coverage, late);
  if (submitted.accepted === 0 && submitted.failure !== null) {
    return ended(coverage, problemOf(submitted.failure, soft));
  }

  const read = await parts.remote.read(created.value, soft);
  if (!read.ok) return ended(coverage, problemOf(read.failure, soft));
  const told: Outcome = {
    findings: remoteFindings(read.value),
    unattributed: [],
    coverage,
    problem: read.value.error,
  };
  const scoped = scopedOutcome(told, { ...request, scope: { ...request.scope, nodes: known } });
  if (scoped.leftOut.length > 0) {
    parts.log.warn(
      { left_out: scoped.leftOut.length },
      'the FACT service named nodes that were not asked about',
    );
  }
  if (read.value.skipped > 0) {
    parts.log.warn({ skipped: read.value.skipped }, 'the FACT service sent items of no known type or shape');
  }
  const { outcome } = scoped;
  if (outcome.problem !== null) return outcome;
  if (told.findings.length > 0 && outcome.findings.length === 0) return { ...outcome, problem: onlyOthers };
  const unread = request.phase === 'slow' ? epilogProblem(coverage) : null;
  const nothing = outcome.findings.length > 0 || readNodeLocal(coverage) ? null : nothingRead;
  return { ...outcome, problem: unread ?? nothing };
}

async function gatherInTime(
  parts: AskParts,
  plan: CollectPlan,
  request: AttributionRequest,
  soft: AbortSignal,
): Promise<Gathered> {
  const enough = new AbortController();
  const cancel = parts.clock.after(request.timeoutMs * readingShare, () => enough.abort());
  try {
    return await gather(parts, plan, AbortSignal.any([soft, enough.signal]));
  } finally {
    cancel();
  }
}

function planOf(
  parts: AskParts,
  request: AttributionRequest,
  facts: JobFacts,
  context: ProviderContext,
): CollectPlan {
  const scope = scopeOfRequest(request, context.session.session, context.now, parts.windows);
  return {
    request,
    windows: scope.windows,
    epilogWindow: scope.epilogWindow,
    nodes: facts.nodes,
    cover: {},
    only: null,
    everything: false,
  };
}

/** All that is read lies in it. */
function spanOf({ windows, epilogWindow }: CollectPlan): Window {
  const all = [...windows, ...[epilogWindow ?? []].flat()];
  const [first = { from: 0n, to: 0n }] = all;
  return all.reduce(
    (span, { from, to }) => ({ from: from < span.from ? from : span.from, to: to > span.to ? to : span.to }),
    first,
  );
}

function attributorBody(
  { cluster, tenant, ruleset }: AskParts,
  request: AttributionRequest,
  facts: JobFacts,
  nodes: readonly string[],
  span: Window,
  context: ProviderContext,
): object {
  const ranks = Math.max(request.scope.ranks.length, nodes.length);
  const { attemptIndex } = request.workloadContext;
  return renderAttributorRequest(
    {
      id: writeWorkloadId(request.workloadId, attemptIndex, context.now),
      nodes,
      jobStart: facts.jobStart ?? span.from,
      jobEnd: facts.jobEnd ?? request.failureContext.detectedAt,
    },
    { ranks, ranksPerNode: Math.ceil(ranks / Math.max(1, nodes.length)), cluster, tenant, ruleset },
  );
}

/** The scope of a slow request is the epilog's window and says nothing of when the job ran. */
function details({ phase, scope, failureContext, workloadContext }: AttributionRequest): string {
  const ofJob = phase === 'fast';
  return writeFailureHeader({
    workflowId: workloadContext.workflowId,
    detectedAt: failureContext.detectedAt,
    detectionSignal: failureContext.detectionSignal,
    jobEndTime: workloadContext.jobEndTime,
    startTime: ofJob ? scope.startTime : null,
    endTime: ofJob ? scope.endTime : null,
  });
}

const late: Problem = { type: 'timeout', message: 'the deadline cut the exchange with the FACT service' };

const onlyOthers: Problem = {
  type: 'service_error',
  message: 'the FACT service named only nodes that it was not asked about',
};

const nothingRead: Problem = {
  type: 'insufficient_telemetry',
  message: 'nothing local to nodes could be read, so the FACT service had nothing to judge by',
};

function problemOf(failed: HttpFailure, soft: AbortSignal): Problem {
  if (soft.aborted) return late;
  return { type: 'service_error', message: `the FACT service ${failed.message}` };
}
