import type { Symptom } from '../../core/symptom.ts';
import { minute } from '../../core/time.ts';
import { isUndecided } from './causal.ts';
import { skewMs } from './clean-up.ts';
import { sameDevice } from './devices.ts';
import { certainlyAfter } from './order.ts';
import { isStrong, strengthRank } from './verdict.ts';

/** How long after its consequence a fault may be told, beside what clocks differ. */
const toldLateMs = Number(minute / 1_000_000n);

/**
 * Whether a node showed one fault by two clocks: the fault by one, by the other what the fault's rule says follows from
 * it. Then no clock shows alone that the fault came at another time than its consequence.
 */
export function isOneFault(fault: Symptom, consequence: Symptom): boolean {
  if (consequence.node !== fault.node || consequence.origin === fault.origin) return false;
  if (certainlyAfter(consequence.first, fault.last, 2 * skewMs)) return false;
  if (certainlyAfter(fault.first, consequence.last, skewMs + toldLateMs)) return false;
  return fault.inhibits.some(
    ({ scope, symptoms }) =>
      (scope !== 'device' || sameDevice(fault.device, consequence.device) !== 'no') &&
      (symptoms.includes(consequence.symptom) ||
        (consequence.code !== null && symptoms.includes(consequence.code))),
  );
}

/**
 * Finds for a fault what its own node shows of it by another clock, among the dated symptoms that count: a strong one,
 * or an error that programs make as well where the fault is an S1.
 */
export function consequencesOn(
  symptoms: readonly Symptom[],
  counts: (symptom: Symptom) => boolean,
): (fault: Symptom) => Symptom | undefined {
  const told = symptoms.filter(
    symptom =>
      symptom.node !== null &&
      symptom.first.nanos !== null &&
      isUndecided(symptom) &&
      strengthRank(symptom) <= 4 &&
      counts(symptom),
  );
  const byNode = Map.groupBy(told, ({ node }) => node);
  return fault =>
    byNode
      .get(fault.node)
      ?.find(other => (isStrong(other) || fault.strength === 'S1') && isOneFault(fault, other));
}
