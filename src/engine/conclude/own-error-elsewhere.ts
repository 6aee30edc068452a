import type { Symptom } from '../../core/symptom.ts';
import type { ErrorCategory } from '../../core/target.ts';
import { byWeight, certainlyAfter } from '../explain/order.ts';
import { accusing } from './judgement.ts';

/** What ranks of other nodes meet where one node fails: the way to it, and what ends them all. */
const reachesOthers: ReadonlySet<ErrorCategory> = new Set([
  'accelerator_fabric',
  'collective_timeout',
  'network_fabric',
  'node_lost',
  'scheduler',
]);

/**
 * An error that a rank made by itself, on another node than those accused, and that did not certainly come after what
 * accuses them: a fault of one node does not make a program fail so on another. Nothing where a rank on an accused
 * node tells of that fault in its own way, which then certainly struck the job.
 */
export function ownErrorElsewhere(symptoms: readonly Symptom[], fault: Symptom): Symptom | undefined {
  const accused = new Set(accusing(symptoms).map(({ node }) => node));
  const own = symptoms.filter(isOwnError);
  const elsewhere = own.filter(symptom => !accused.has(symptom.node) && mayPrecede(symptom, fault));
  const alike = new Set(elsewhere.map(({ symptom }) => symptom));
  const isFelt = own.some(
    ({ node, role, symptom }) => accused.has(node) && role === 'cascade' && !alike.has(symptom),
  );
  return isFelt ? undefined : elsewhere.toSorted(byWeight)[0];
}

/** Told by a rank of a known place; whatever it was taken to follow from. */
function isOwnError({ origin, node, ruleRole, role, category, ...symptom }: Symptom): boolean {
  if (origin !== 'job' || node === null || ruleRole !== 'root') return false;
  if (role === 'context' || role === 'teardown' || symptom.strength > 'S4') return false;
  return !reachesOthers.has(category);
}

/** Reports come late: an error that bears a stamp is weighed against them by the time they are given. */
function mayPrecede({ first }: Symptom, fault: Symptom): boolean {
  const isUndated = first.nanos === null || first.basis === 'file_order';
  const isReport = fault.lasts || fault.origin === 'scheduler' || fault.origin === 'health';
  return (isUndated || !isReport) && !certainlyAfter(first, fault.first);
}
