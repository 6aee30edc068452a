import type { Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { byWeight, certainlyAfter, earliestOf } from '../explain/order.ts';
import { nameOf, settle } from '../explain/verdict.ts';
import { readNodeLocal } from '../node-coverage.ts';
import { leaderOf } from './first-fault.ts';
import { isAmbiguous, isHomelessProof, isNodeProof, isTrusted } from './hardware.ts';
import { accusing, changed, type Judgement, jobRoots, type Step } from './judgement.ts';
import { ownErrorElsewhere } from './own-error-elsewhere.ts';

const name = 'application';

/**
 * Weighs what holds the job responsible against what holds nodes responsible. Hardware that broke before an
 * application error, or about when it happened, caused it; an application error that clearly came first was not
 * caused by it; a rank's own error on another node, which may have come first, leaves both open. Where no hardware
 * speaks, an application error convicts the job, unless a fault whose node nothing tells came before it; one that a
 * device could have made does so only where nodes were looked at and nothing strong was seen.
 */
export const application: Step = {
  name,
  run(judgement, context) {
    const checked = spareUnfelt(judgement);
    const root = firstRoot(jobRoots(checked.symptoms));
    const hardware = checked.job?.symptoms[0] ?? leaderOf(accusing(checked.symptoms));
    if (hardware === undefined) return root === undefined ? checked : convictJob(checked, root, context);
    if (root !== undefined && !hardwareFirst(hardware, root, context))
      return followRoot(checked, root, context);
    const elsewhere = checked.job === null ? ownErrorElsewhere(checked.symptoms, hardware) : undefined;
    if (elsewhere !== undefined) return leaveOpen(checked, hardware, elsewhere);
    return followHardware(checked, hardware);
  },
};

/** A state that lasts may strike at any time, and so may what a device did that makes such errors. */
function isLongOver(hardware: Symptom, root: Symptom): boolean {
  if (hardware.lasts || isAmbiguous(root)) return false;
  return certainlyAfter(root.first, hardware.last, longOverMs);
}

/** Errors this close together are one event, of which the stronger and more specific line tells. */
const oneEventMs = 5_000;
const oneEventLines = 100n;

/** The application error the failure began with. */
function firstRoot(roots: readonly Symptom[]): Symptom | undefined {
  const first = earliestOf(roots);
  if (first === undefined) return undefined;
  return roots.filter(root => isOneEvent(first, root)).toSorted(byTelling)[0];
}

function isOneEvent({ first: a }: Symptom, { first: b }: Symptom): boolean {
  if (a.nanos === null || b.nanos === null) return a.clock !== b.clock || b.tick - a.tick <= oneEventLines;
  return !certainlyAfter(b, a, oneEventMs);
}

function byTelling(a: Symptom, b: Symptom): number {
  const generic = (symptom: Symptom): number => (symptom.category === 'application_error' ? 1 : 0);
  return generic(a) - generic(b) || byWeight(a, b);
}

/** What broke so long before a program's own error did not break it: no rank waits for another that long. */
const longOverMs = 3_600_000;

/** False only where the application error certainly came first by a clear time, or so much later that the job ran on. */
function hardwareFirst(hardware: Symptom, root: Symptom, context: ReasoningContext): boolean {
  if (isLongOver(hardware, root)) return false;
  if (isAmbiguous(root) && root.node !== null && root.node === hardware.node) return true;
  return !certainlyAfter(hardware.first, root.first, leadMs(hardware, root, context));
}

function leaveOpen(judgement: Judgement, hardware: Symptom, root: Symptom): Judgement {
  const open = (symptom: Symptom): Symptom =>
    settle(symptom, 'unknown', name, `${nameOf(root)}, and ${nameOf(hardware)}: which came first is unknown`);
  const both = [...accusing(judgement.symptoms), ...jobRoots(judgement.symptoms)];
  return { ...judgement, symptoms: changed(judgement.symptoms, both, open) };
}

function leadMs(hardware: Symptom, root: Symptom, context: ReasoningContext): number {
  // Health checks and states speak of what began at an unknown time: only a decisive error stands against them.
  if (hardware.origin === 'health' || hardware.lasts) return isAmbiguous(root) ? Number.MAX_SAFE_INTEGER : 0;
  return hardware.origin === 'scheduler' ? context.settings.lateReportMs : context.settings.applicationLeadMs;
}

function followHardware(judgement: Judgement, hardware: Symptom): Judgement {
  const follow = (symptom: Symptom): Symptom =>
    settle(symptom, 'cascade', name, `not clearly before ${nameOf(hardware)}`, hardware.id);
  return { ...judgement, symptoms: changed(judgement.symptoms, jobRoots(judgement.symptoms), follow) };
}

function followRoot(judgement: Judgement, root: Symptom, context: ReasoningContext): Judgement {
  const spare = (symptom: Symptom): Symptom =>
    settle(
      symptom,
      'unknown',
      name,
      `${isLongOver(symptom, root) ? 'long over before' : 'began clearly after'} ${nameOf(root)}`,
    );
  const symptoms = changed(judgement.symptoms, accusing(judgement.symptoms), spare);
  return convictJob({ symptoms, job: null }, root, context);
}

function convictJob(judgement: Judgement, root: Symptom, context: ReasoningContext): Judgement {
  const objection = objectionTo(judgement, root, context);
  const roots = jobRoots(judgement.symptoms);
  if (objection !== null) {
    const spare = (symptom: Symptom): Symptom => settle(symptom, 'unknown', name, objection);
    return { ...judgement, symptoms: changed(judgement.symptoms, roots, spare) };
  }
  const same = roots.filter(symptom => symptom.symptom === root.symptom && symptom !== root);
  const others = roots.filter(symptom => symptom.symptom !== root.symptom);
  const follow = (symptom: Symptom): Symptom =>
    settle(symptom, 'cascade', name, `follows ${nameOf(root)}`, root.id);
  return {
    symptoms: changed(judgement.symptoms, others, follow),
    job: { category: root.category, symptoms: [root, ...same.toSorted(byWeight)], said: null },
  };
}

function objectionTo(judgement: Judgement, root: Symptom, context: ReasoningContext): string | null {
  const homeless = judgement.symptoms
    .filter(symptom => isHomelessProof(symptom) && hardwareFirst(symptom, root, context))
    .toSorted(byWeight)[0];
  if (homeless !== undefined) return `${nameOf(homeless)} may have caused it, and no line proves on which node`;
  if (!isAmbiguous(root)) return null;
  if (!readNodeLocal(context.coverage)) return 'ambiguous, and nothing local to nodes was read';
  const strong = judgement.symptoms.find(symptom => isNodeProof(symptom) && symptom.role === 'unknown');
  return strong === undefined ? null : `ambiguous beside ${nameOf(strong)}`;
}

/**
 * An ambiguous error that the kernel tells of, and no rank of that node, was hardly the job's: beside hardware that
 * certainly broke it decides nothing.
 */
function spareUnfelt(judgement: Judgement): Judgement {
  const proven = accusing(judgement.symptoms).some(symptom => symptom.strength === 'S1' && isTrusted(symptom));
  const isJobHeard = judgement.symptoms.some(({ origin }) => origin === 'job');
  if (!proven || !isJobHeard) return judgement;
  const complaints = judgement.symptoms.filter(isComplaint);
  const unfelt = jobRoots(judgement.symptoms).filter(
    root =>
      root.origin === 'kernel' &&
      isAmbiguous(root) &&
      !complaints.some(({ node }) => node === null || node === root.node),
  );
  const spare = (symptom: Symptom): Symptom =>
    settle(symptom, 'unknown', name, 'hardware or some program, and no rank on that node tells of it');
  return { ...judgement, symptoms: changed(judgement.symptoms, unfelt, spare) };
}

/** A rank that tells of an error of its device. */
function isComplaint({ origin, rule, role, ruleRole }: Symptom): boolean {
  return origin === 'job' && rule.startsWith('cuda/') && ruleRole === 'root' && role !== 'context';
}
