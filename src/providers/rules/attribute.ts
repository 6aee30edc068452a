import type { AttributionRequest } from '../../contract/index.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { HistoryRow } from '../../core/history.ts';
import type { Outcome, Problem } from '../../core/outcome.ts';
import type { CollectPlan, Located, MetricNeed, NodeIdentity, ProviderContext } from '../../core/ports.ts';
import type { Session } from '../../core/session.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { Nanos, Window } from '../../core/time.ts';
import { conclude } from '../../engine/conclude/conclude.ts';
import type { ReasoningContext, ReasoningSettings } from '../../engine/context.ts';
import { explain, type MoreReading } from '../../engine/explain/explain.ts';
import { locateAll } from '../../evidence/collect.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { epilogProblem } from './epilog-problem.ts';
import { type JobFacts, jobFacts } from './job.ts';
import { mergeCoverage, unreadNeeds } from './merge-coverage.ts';
import { mergeSymptoms } from './merge-symptoms.ts';
import { nodesOfEvidence } from './nodes-of-evidence.ts';
import { type ReadingParts, readEvidence } from './read-evidence.ts';
import { cutAtPresent, epilogWindow, fastWindow, type WindowSettings } from './windows.ts';

/** What the built-in provider reasons with. */
export interface AttributionParts extends ReadingParts {
  readonly windows: WindowSettings;
  readonly reasoning: ReasoningSettings;
  readonly cover: CollectPlan['cover'];
  readonly metrics?: readonly MetricNeed[];
}

/** What is read, and around which moment; `everything` ignores windows (`analyze` without times). */
export interface ReadingScope {
  readonly windows: readonly Window[];
  readonly epilogWindow: Window | null;
  readonly notYet: Window | null;
  readonly only: CollectPlan['only'];
  readonly everything: boolean;
  /** Null: the job's end as the sources tell it, else the last thing seen. */
  readonly moment: Nanos | null;
}

/** An outcome with what led to it. */
export interface Attribution {
  readonly outcome: Outcome;
  readonly symptoms: readonly Symptom[];
  readonly facts: JobFacts;
  readonly moment: Nanos;
  /** What earlier episodes showed, where that was asked for. */
  readonly history: readonly HistoryRow[] | null;
}

/** What a request is to read, given what its session has read already. */
export function scopeOfRequest(
  request: AttributionRequest,
  session: Session,
  now: Nanos,
  settings: WindowSettings,
): ReadingScope {
  const known = session.windows.length > 0;
  const fast = fastWindow(request, now, settings);
  if (request.phase === 'fast') {
    return {
      windows: [fast.past],
      notYet: fast.notYet,
      epilogWindow: null,
      only: null,
      everything: false,
      moment: session.moment,
    };
  }
  const epilog = epilogWindow(request);
  const readable = epilog === null ? null : cutAtPresent(epilog, now);
  return {
    windows: known ? session.windows : [fast.past],
    notYet: readable?.notYet ?? null,
    epilogWindow: readable?.past ?? null,
    only: known ? unreadNeeds(session.coverage) : null,
    everything: false,
    moment: session.moment,
  };
}

/**
 * Collect, recognize, explain, conclude; at most one more read where explain asks for it. Never throws for a broken
 * source; stops reading at `soft` and concludes over what is known.
 */
export async function attributeFailure(
  parts: AttributionParts,
  request: AttributionRequest,
  scope: ReadingScope,
  earlier: Pick<Session, 'symptoms' | 'coverage' | 'history'>,
  context: Pick<ProviderContext, 'soft' | 'report' | 'now' | 'history'>,
): Promise<Attribution> {
  const located = await locateAll(parts.sources, request, context.soft, parts.log);
  const facts = jobFacts(request, located);
  const plan = planOf(parts, request, scope, facts);
  let history: readonly HistoryRow[] | null = earlier.history ?? null;
  const settle = (symptoms: readonly Symptom[], coverage: readonly SourceCoverage[]): Settled =>
    settleOver(parts, request, scope, facts, located, symptoms, coverage, history ?? []);

  const first = await readEvidence(parts, plan, context.soft, symptoms => {
    const interim = settle(mergeSymptoms(earlier.symptoms, symptoms), earlier.coverage);
    context.report(outcomeOf(interim, earlier.coverage, null));
  });
  let symptoms = mergeSymptoms(earlier.symptoms, first.symptoms);
  let coverage = markNotYet(mergeCoverage(earlier.coverage, first.coverage), scope.notYet);
  history ??= await pastOf(symptoms, facts, momentOf(request, scope, facts, located, symptoms), context);
  let settled = settle(symptoms, coverage);
  let cut = first.cut;

  if (settled.wants !== null && !cut && !scope.everything) {
    context.report(outcomeOf(settled, coverage, null));
    const again = await readEvidence(parts, furtherPlan(plan, settled.wants), context.soft, () => {});
    symptoms = mergeSymptoms(symptoms, again.symptoms);
    coverage = mergeCoverage(coverage, again.coverage);
    settled = settle(symptoms, coverage);
    cut = again.cut;
  }
  const late: Problem | null = cut
    ? { type: 'timeout', message: 'the deadline cut the reading of evidence' }
    : null;
  const unread = request.phase === 'slow' && !scope.everything ? epilogProblem(coverage) : null;
  const outcome = outcomeOf(settled, coverage, late ?? unread);
  context.report(outcome);
  return { outcome, symptoms: settled.symptoms, facts, moment: settled.moment, history };
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

interface Settled {
  readonly symptoms: readonly Symptom[];
  readonly outcome: Pick<Outcome, 'findings' | 'unattributed' | 'problem'>;
  readonly wants: MoreReading | null;
  readonly moment: Nanos;
}

function settleOver(
  parts: AttributionParts,
  request: AttributionRequest,
  scope: ReadingScope,
  facts: JobFacts,
  located: readonly Located[],
  symptoms: readonly Symptom[],
  coverage: readonly SourceCoverage[],
  history: readonly HistoryRow[],
): Settled {
  const identities = identitiesOf(facts, symptoms);
  const moment = momentOf(request, scope, facts, located, symptoms);
  const context: ReasoningContext = {
    request,
    nodes: nodeDirectory(identities),
    jobNodes: identities.map(identity => identity.name),
    scopeGiven: facts.scopeGiven,
    windows: scope.windows,
    epilogWindow: scope.epilogWindow,
    moment,
    jobStart: facts.jobStart,
    jobEnd: facts.jobEnd,
    coverage,
    history,
    settings: parts.reasoning,
  };
  const explained = explain(symptoms, context);
  const concluded = conclude(explained.symptoms, context);
  return {
    symptoms: concluded.symptoms,
    outcome: concluded,
    wants: explained.wants,
    moment,
  };
}

function identitiesOf(facts: JobFacts, symptoms: readonly Symptom[]): readonly NodeIdentity[] {
  return facts.nodes.length > 0 ? facts.nodes : nodesOfEvidence(symptoms);
}

function momentOf(
  request: AttributionRequest,
  scope: ReadingScope,
  facts: JobFacts,
  located: readonly Located[],
  symptoms: readonly Symptom[],
): Nanos {
  return scope.moment ?? facts.jobEnd ?? lastStamp(located, symptoms) ?? request.failureContext.detectedAt;
}

/** What earlier episodes showed on the job's nodes, and on its GPUs wherever they sat then; null where nothing remembers. */
async function pastOf(
  symptoms: readonly Symptom[],
  facts: JobFacts,
  moment: Nanos,
  { history }: Pick<ProviderContext, 'history'>,
): Promise<readonly HistoryRow[] | null> {
  if (history === undefined) return null;
  const nodes = identitiesOf(facts, symptoms).map(({ name }) => name);
  const uuids = new Set(symptoms.flatMap(({ device }) => device?.uuid ?? []));
  return history.before(moment, nodes, [...uuids]);
}

function lastStamp(located: readonly Located[], symptoms: readonly Symptom[]): Nanos | null {
  const ofJob = located.map(entry => entry.jobLastStamp).filter(stamp => stamp !== null);
  const seen = symptoms.map(symptom => symptom.last.nanos).filter(nanos => nanos !== null);
  const known = ofJob.length > 0 ? ofJob : seen;
  return known.length === 0 ? null : known.reduce((a, b) => (a > b ? a : b));
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
