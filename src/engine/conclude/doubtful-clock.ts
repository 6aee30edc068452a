import type { Symptom } from '../../core/symptom.ts';
import { millisecond } from '../../core/time.ts';
import type { ReasoningContext } from '../context.ts';
import { cleanUpOf } from '../explain/clean-up.ts';
import { latestProgress } from '../explain/latest-progress.ts';
import { certainlyAfter, earliestOf, shifted, skewMs, wallInstant } from '../explain/order.ts';
import { stopsNode } from '../explain/stops-node.ts';
import { settle } from '../explain/verdict.ts';
import { nodeStatuses } from '../node-coverage.ts';
import { isTrusted } from './hardware.ts';
import { accusing, changed, type Step } from './judgement.ts';

const name = 'doubtful-clock';

/**
 * A node's own clock alone may put a fault into this failure: were it as fast as clocks get, the fault would lie before
 * the job began, or training would have gone on after it. Where the log of another node, which might tell of the true
 * cause, was not read, and nothing by another clock speaks of the fault, it is told and not named.
 */
export const doubtfulClock: Step = {
  name,
  run(judgement, context) {
    const accused = accusing(judgement.symptoms);
    if (accused.length === 0 || judgement.job !== null) return judgement;
    const cleanUp = cleanUpOf(judgement.symptoms);
    const isExcused = excusedWhere(judgement.symptoms, context);
    const doubted = accused.filter(
      fault =>
        fault.origin === 'kernel' &&
        !fault.lasts &&
        isExcused(fault) &&
        !cleanUp.isRight(fault) &&
        !isToldElsewhere(fault, judgement.symptoms) &&
        !isMissedAtOnce(fault, judgement.symptoms) &&
        isAnotherUnread(fault, context),
    );
    const spare = (symptom: Symptom): Symptom =>
      settle(
        symptom,
        'unknown',
        name,
        'of this failure only if its clock is right, and the log of another node is missing',
      );
    return { ...judgement, symptoms: changed(judgement.symptoms, doubted, spare) };
  },
};

/**
 * Whether a fault would have had no part in the failure if its clock were fast. Training goes on without no node: one that
 * stopped had its part in it, whatever its clock.
 */
function excusedWhere(symptoms: readonly Symptom[], context: ReasoningContext): (fault: Symptom) => boolean {
  const start = context.jobStart === null ? null : wallInstant(context.jobStart);
  const progress = latestProgress(symptoms)?.last ?? null;
  return fault => {
    const earlier = shifted(fault.last, -skewMs);
    if (start !== null && certainlyAfter(start, earlier)) return true;
    if (progress === null || hasStoppedNode(fault, symptoms)) return false;
    return certainlyAfter(progress, earlier, context.settings.survivedMs);
  };
}

/** Whether its node stopped then, or soon after it, and its log shows no start since. */
function hasStoppedNode(fault: Symptom, symptoms: readonly Symptom[]): boolean {
  const ofNode = symptoms.filter(({ node, origin }) => node === fault.node && origin === fault.origin);
  const stop = ofNode.find(
    other =>
      stopsNode(other) &&
      !certainlyAfter(fault.first, other.last) &&
      !certainlyAfter(other.first, fault.last, skewMs),
  );
  return (
    stop !== undefined &&
    !ofNode.some(other => other.ruleRole === 'boot' && certainlyAfter(other.last, stop.last))
  );
}

/** What another clock than the kernel's shows of a fault on its node. */
function isToldElsewhere(fault: Symptom, symptoms: readonly Symptom[]): boolean {
  return symptoms.some(
    other =>
      other.node === fault.node &&
      other.origin !== 'kernel' &&
      other.ruleRole !== 'victim' &&
      (other.role === 'initiating' ||
        other.role === 'cascade' ||
        (isTrusted(other) && other.ruleRole === 'confirmation')),
  );
}

const missedWithinMs = 60_000;
/** Peers may tell a little sooner than the node's own kernel. */
const toldSoonerMs = 15_000;

/** Whether the first to lose a peer lost it just then: with a wrong clock that were a coincidence. */
function isMissedAtOnce(fault: Symptom, symptoms: readonly Symptom[]): boolean {
  const first = earliestOf(
    symptoms.filter(
      ({ symptom, origin, node }) => symptom === 'peer-lost' && origin === 'job' && node !== fault.node,
    ),
  );
  if (first === undefined || first.first.nanos === null || fault.first.nanos === null) return false;
  const afterMs = Number((first.first.nanos - fault.first.nanos) / millisecond);
  return afterMs >= -toldSoonerMs && afterMs <= missedWithinMs;
}

function isAnotherUnread({ node, origin }: Symptom, { coverage, jobNodes }: ReasoningContext): boolean {
  const read = nodeStatuses(coverage, origin);
  return jobNodes.some(other => other !== node && !read.of(other).has('complete'));
}
