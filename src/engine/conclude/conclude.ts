import type { Finding, Problem } from '../../core/outcome.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { Target } from '../../core/target.ts';
import type { ReasoningContext } from '../context.ts';
import { byWeight } from '../explain/order.ts';
import { readNodeLocal } from '../node-coverage.ts';
import { application } from './application.ts';
import { breadth } from './breadth.ts';
import { collectives } from './collectives.ts';
import { doubtfulClock } from './doubtful-clock.ts';
import { findingsOf } from './findings.ts';
import { firstFault } from './first-fault.ts';
import { isHomelessProof, isNodeProof } from './hardware.ts';
import { jobText } from './job-text.ts';
import type { Judgement, Step } from './judgement.ts';
import { type LateRanks, lateRanks, tellLate } from './late-ranks.ts';
import { loneClient } from './lone-client.ts';
import { loneLack } from './lone-lack.ts';
import { outranked } from './outranked.ts';
import { poison } from './poison.ts';
import { asRead, recurrence } from './recurrence.ts';
import { withRecurrence } from './recurrence-evidence.ts';
import { sharedCause } from './shared-cause.ts';

/** First what only recurs, then what sources can carry and nodes share, then what came first, then what is left where no node is accused. */
export const concludeSteps: readonly Step[] = [
  recurrence,
  outranked,
  poison,
  loneLack,
  sharedCause,
  loneClient,
  jobText,
  firstFault,
  application,
  doubtfulClock,
  collectives,
  breadth,
];

export interface Conclusion {
  readonly findings: readonly Finding[];
  /** Nodes of the job with a strong symptom that nothing explains and nothing was concluded from, or with the ranks all others waited for. */
  readonly unattributed: readonly Target[];
  readonly problem: Problem | null;
  /** All of them, with the roles conclude settled on. */
  readonly symptoms: readonly Symptom[];
}

/** From explained symptoms to findings: whom they convict, or nobody. */
export function conclude(
  symptoms: readonly Symptom[],
  context: ReasoningContext,
  steps: readonly Step[] = concludeSteps,
): Conclusion {
  const judgement = steps.reduce<Judgement>((known, step) => step.run(known, context), {
    symptoms,
    job: null,
  });
  const late = lateRanks(judgement.symptoms, context);
  const findings = withRecurrence(findingsOf(judgement, context, late), judgement.symptoms, context);
  return {
    findings,
    unattributed: unattributedOf(judgement, findings, late, context),
    problem: problemOf(findings, judgement.symptoms, context),
    symptoms: tellLate(asRead(judgement.symptoms, symptoms), late),
  };
}

function unattributedOf(
  judgement: Judgement,
  findings: readonly Finding[],
  late: readonly LateRanks[],
  context: ReasoningContext,
): readonly Target[] {
  const named = new Set(findings.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : [])));
  const unexplained = new Set(
    judgement.symptoms
      .filter(symptom => symptom.role === 'unknown' && isNodeProof(symptom))
      .map(symptom => symptom.node),
  );
  // What explains the failure explains who was late as well.
  if (findings.length === 0) for (const node of late.flatMap(({ nodes }) => nodes)) unexplained.add(node);
  return context.jobNodes
    .filter(node => unexplained.has(node) && !named.has(node))
    .slice(0, context.settings.maxUnattributed)
    .map(node => ({ type: 'Node', node }));
}

/** Without a finding, and without anything local to nodes read, nothing can be said: not even that nodes are well. */
function problemOf(
  findings: readonly Finding[],
  symptoms: readonly Symptom[],
  context: ReasoningContext,
): Problem | null {
  if (findings.length > 0 || readNodeLocal(context.coverage)) return null;
  const homeless = symptoms.filter(isHomelessProof).toSorted(byWeight)[0];
  if (homeless !== undefined) return { type: 'insufficient_telemetry', message: remedyFor(homeless) };
  const any = context.coverage.some(source => source.lines > 0 || source.groups.some(isRead));
  return {
    type: 'insufficient_telemetry',
    message: any
      ? 'nothing local to nodes could be read, and what could be read shows only consequences or nothing decisive'
      : 'no source of evidence could be read',
  };
}

function remedyFor({ origin, title, code }: Symptom): string {
  const shown = code === null ? `"${title}"` : `"${title}" (${code})`;
  return origin === 'kernel'
    ? `a kernel log shows ${shown}, and no line or file name tells of which node: name the file NODE.log, put it into a folder NODE/, or say whose it is (--nodes, scope.nodes)`
    : `what was read shows ${shown}, and nothing tells of which node`;
}

const isRead = ({ status }: { readonly status: string }): boolean => status === 'complete';
