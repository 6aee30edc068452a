import type { AttributionRequest } from '../../contract/index.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { HistoryRow } from '../../core/history.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Located, NodeIdentity } from '../../core/ports.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { Nanos } from '../../core/time.ts';
import type { Change } from '../../core/verdict-change.ts';
import { conclude } from '../../engine/conclude/conclude.ts';
import type { ReasoningContext, ReasoningSettings } from '../../engine/context.ts';
import { explain, type MoreReading } from '../../engine/explain/explain.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { explainWithout, stepsWithout, symptomsWithout } from './counterfactual.ts';
import type { JobFacts } from './job.ts';
import { nodesOfEvidence } from './nodes-of-evidence.ts';
import { nodesAllocated, ownJobId } from './own-job.ts';
import type { ReadingScope } from './reading-scope.ts';

/** What is reasoned over: all of it is at hand once the evidence has been read. */
export interface Matter {
  readonly request: AttributionRequest;
  readonly scope: ReadingScope;
  readonly facts: JobFacts;
  readonly located: readonly Located[];
  readonly symptoms: readonly Symptom[];
  readonly coverage: readonly SourceCoverage[];
  readonly history: readonly HistoryRow[];
}

export interface Settled {
  readonly symptoms: readonly Symptom[];
  readonly outcome: Pick<Outcome, 'findings' | 'unattributed' | 'problem'>;
  readonly wants: MoreReading | null;
  readonly moment: Nanos;
}

/** Explain and conclude, as things are or as they would be with one change. Pure. */
export function settle(matter: Matter, settings: ReasoningSettings, change: Change | null = null): Settled {
  const { request, scope, facts, coverage, history } = matter;
  const seen = symptomsWithout(matter.symptoms, change);
  const jobId = ownJobId(request, matter.located, seen);
  const identities = identitiesOf(facts, jobId, seen);
  const moment = momentOf({ ...matter, symptoms: seen });
  const context: ReasoningContext = {
    request,
    nodes: nodeDirectory(identities),
    jobNodes: identities.map(identity => identity.name),
    scopeGiven: facts.scopeGiven,
    nodesTold: facts.nodes.length > 0,
    jobId,
    windows: scope.windows,
    epilogWindow: scope.epilogWindow,
    moment,
    jobStart: facts.jobStart,
    jobEnd: facts.jobEnd,
    coverage,
    history,
    settings,
  };
  const explained = explain(matter.symptoms, context, explainWithout(change));
  const concluded = conclude(explained.symptoms, context, stepsWithout(change));
  return { symptoms: concluded.symptoms, outcome: concluded, wants: explained.wants, moment };
}

export function identitiesOf(
  facts: JobFacts,
  jobId: string | null,
  symptoms: readonly Symptom[],
): readonly NodeIdentity[] {
  if (facts.nodes.length > 0) return facts.nodes;
  const allocated = nodesAllocated(jobId, symptoms);
  return allocated.length > 0 ? allocated : nodesOfEvidence(symptoms);
}

export function momentOf({
  request,
  scope,
  facts,
  located,
  symptoms,
}: Pick<Matter, 'request' | 'scope' | 'facts' | 'located' | 'symptoms'>): Nanos {
  return scope.moment ?? facts.jobEnd ?? lastStamp(located, symptoms) ?? request.failureContext.detectedAt;
}

function lastStamp(located: readonly Located[], symptoms: readonly Symptom[]): Nanos | null {
  const ofJob = located.map(entry => entry.jobLastStamp).filter(stamp => stamp !== null);
  const seen = symptoms
    .filter(({ origin, ruleRole }) => origin !== 'scheduler' || ruleRole !== 'placement')
    .map(symptom => symptom.last.nanos)
    .filter(nanos => nanos !== null);
  const known = ofJob.length > 0 ? ofJob : seen;
  return known.length === 0 ? null : known.reduce((a, b) => (a > b ? a : b));
}
