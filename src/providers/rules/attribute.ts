import type { AttributionRequest } from '../../contract/index.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { HistoryRow } from '../../core/history.ts';
import type { Outcome, Problem } from '../../core/outcome.ts';
import type { CollectPlan, MetricNeed, NodeIdentity, ProviderContext } from '../../core/ports.ts';
import type { Session } from '../../core/session.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { Nanos, Window } from '../../core/time.ts';
import { inSpan } from '../../core/tracing.ts';
import type { Change, VerdictChange } from '../../core/verdict-change.ts';
import type { ReasoningSettings } from '../../engine/context.ts';
import type { MoreReading } from '../../engine/explain/explain.ts';
import { locateAll, remarkOnLate } from '../../evidence/locate-all.ts';
import { epilogProblem } from './epilog-problem.ts';
import { type JobFacts, jobFacts } from './job.ts';
import { mergeCoverage } from './merge-coverage.ts';
import { mergeSymptoms } from './merge-symptoms.ts';
import { ownJobId } from './own-job.ts';
import { type ReadingParts, readEvidence } from './read-evidence.ts';
import type { ReadingScope } from './reading-scope.ts';
import { identitiesOf, type Matter, momentOf, type Settled, settle } from './settle.ts';
import { verdictChanges } from './verdict-changes.ts';
import type { WindowSettings } from './windows.ts';

/** What the built-in provider reasons with. */
export interface AttributionParts extends ReadingParts {
  readonly windows: WindowSettings;
  readonly reasoning: ReasoningSettings;
  readonly cover: CollectPlan['cover'];
  readonly metrics?: readonly MetricNeed[];
  /** Work that an answer may put into `changes`, in symptoms reasoned over; 0 where nobody asks what would change it. */
  readonly changesBudget?: number;
}

/** An outcome with what led to it. */
export interface Attribution {
  readonly outcome: Outcome;
  readonly symptoms: readonly Symptom[];
  readonly facts: JobFacts;
  readonly moment: Nanos;
  /** What earlier episodes showed, where that was asked for. */
  readonly history: readonly HistoryRow[] | null;
  /** What would have led to another verdict; reckoned when asked for, since it takes many times the reasoning. See `verdictChanges`. */
  changes(budget?: number): readonly VerdictChange[] | null;
}

/**
 * Collect, recognize, explain, conclude; at most one more read where explain asks for it. Never throws for a broken
 * source; stops reading at `soft` and concludes over what is known. With a `change` the verdict is that which would have
 * been given under it.
 */
export async function attributeFailure(
  parts: AttributionParts,
  request: AttributionRequest,
  scope: ReadingScope,
  earlier: Pick<Session, 'symptoms' | 'coverage' | 'history'>,
  context: Pick<ProviderContext, 'soft' | 'report' | 'now' | 'history'>,
  change: Change | null = null,
): Promise<Attribution> {
  const { located, late: unlocated } = await locateAll(parts.sources, request, context.soft, parts.log, parts);
  const facts = jobFacts(request, located);
  const plan = planOf(parts, request, scope, facts);
  let history: readonly HistoryRow[] | null = earlier.history ?? null;
  const matterOf = (symptoms: readonly Symptom[], coverage: readonly SourceCoverage[]): Matter => ({
    request,
    scope,
    facts,
    located,
    symptoms,
    coverage,
    history: history ?? [],
  });
  const settleNow = (symptoms: readonly Symptom[], coverage: readonly SourceCoverage[]): Settled =>
    inSpan(parts.tracer, 'reason', { attributes: { 'attribution.symptoms': symptoms.length } }, span => {
      const settled = settle(matterOf(symptoms, coverage), parts.reasoning, change);
      span.set({ 'attribution.findings': settled.outcome.findings.length });
      return settled;
    });

  const first = await readEvidence(parts, plan, context.soft, symptoms => {
    const interim = settleNow(mergeSymptoms(earlier.symptoms, symptoms), earlier.coverage);
    context.report(outcomeOf(interim, earlier.coverage, null));
  });
  let symptoms = mergeSymptoms(earlier.symptoms, first.symptoms);
  let coverage = remarkOnLate(
    markNotYet(mergeCoverage(earlier.coverage, first.coverage), scope.notYet),
    unlocated,
  );
  const moment = momentOf({ request, scope, facts, located, symptoms });
  const nodes = identitiesOf(facts, ownJobId(request, located, symptoms), symptoms);
  history ??= await inSpan(parts.tracer, 'read history', {}, () => pastOf(symptoms, nodes, moment, context));
  let settled = settleNow(symptoms, coverage);
  let cut = first.cut;

  if (settled.wants !== null && !cut && !scope.everything) {
    context.report(outcomeOf(settled, coverage, null));
    const again = await readEvidence(parts, furtherPlan(plan, settled.wants), context.soft, () => {});
    symptoms = mergeSymptoms(symptoms, again.symptoms);
    coverage = mergeCoverage(coverage, again.coverage);
    settled = settleNow(symptoms, coverage);
    cut = again.cut;
  }
  const late: Problem | null = cut
    ? { type: 'timeout', message: 'the deadline cut the reading of evidence' }
    : null;
  const unread = request.phase === 'slow' && !scope.everything ? epilogProblem(coverage) : null;
  const outcome = outcomeOf(settled, coverage, late ?? unread);
  context.report(outcome);
  return {
    outcome,
    symptoms: settled.symptoms,
    facts,
    moment: settled.moment,
    history,
    changes: budget =>
      verdictChanges(
        settled.symptoms,
        outcome,
        other =>
          outcomeOf(settle(matterOf(symptoms, coverage), parts.reasoning, other), coverage, late ?? unread),
        budget,
      ),
  };
}

function planOf(
  parts: AttributionParts,
  request: AttributionRequest,
  scope: ReadingScope,
  facts: JobFacts,
): CollectPlan {
  return {
    request,
    windows: scope.windows,
    epilogWindow: scope.epilogWindow,
    nodes: facts.nodes,
    cover: parts.cover,
    metrics: parts.metrics ?? [],
    only: scope.only,
    everything: scope.everything,
  };
}

/** The epilog was read with the first plan and is not asked for again. */
function furtherPlan(plan: CollectPlan, wants: MoreReading): CollectPlan {
  return {
    ...plan,
    windows: wants.window === null ? plan.windows : [wants.window],
    epilogWindow: null,
    nodes: wants.nodes.length === 0 ? plan.nodes : plan.nodes.filter(node => wants.nodes.includes(node.name)),
    only: null,
  };
}

/** What earlier episodes showed on the job's nodes, and on its GPUs wherever they sat then; null where nothing remembers. */
async function pastOf(
  symptoms: readonly Symptom[],
  identities: readonly NodeIdentity[],
  moment: Nanos,
  { history }: Pick<ProviderContext, 'history'>,
): Promise<readonly HistoryRow[] | null> {
  if (history === undefined) return null;
  const nodes = identities.map(({ name }) => name);
  const uuids = new Set(symptoms.flatMap(({ device }) => device?.uuid ?? []));
  return history.before(moment, nodes, [...uuids]);
}

function outcomeOf(settled: Settled, coverage: readonly SourceCoverage[], late: Problem | null): Outcome {
  const { findings, unattributed, problem } = settled.outcome;
  return { findings, unattributed, coverage, problem: late ?? problem };
}

/** The part of a window that lay ahead belongs to every source that was asked for it. */
function markNotYet(coverage: readonly SourceCoverage[], notYet: Window | null): readonly SourceCoverage[] {
  if (notYet === null) return coverage;
  return coverage.map(entry => (entry.notYet === null ? { ...entry, notYet } : entry));
}
