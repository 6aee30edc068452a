import type { Symptom } from '../../core/symptom.ts';
import { minute } from '../../core/time.ts';
import { isUndecided } from './causal.ts';
import { sameDevice } from './devices.ts';
import { certainlyAfter, skewMs } from './order.ts';
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
  return explains(fault, consequence);
}

function explains({ inhibits, device }: Symptom, other: Symptom): boolean {
  return inhibits.some(
    ({ scope, symptoms }) =>
      (scope !== 'device' || sameDevice(device, other.device) !== 'no') &&
      (symptoms.includes(other.symptom) || (other.code !== null && symptoms.includes(other.code))),
  );
}

/**
 * Finds for a fault what its own node shows of it by another clock, among the dated symptoms that count: a strong one,
 * or an error that programs make as well where the fault is an S1. What explains such a fault by the fault's own clock
 * is no other time than the fault.
 */
export function consequencesOn(
  symptoms: readonly Symptom[],
  counts: (symptom: Symptom) => boolean,
): (fault: Symptom) => Symptom | undefined {
  const told = symptoms.filter(
    symptom => symptom.node !== null && isUndecided(symptom) && strengthRank(symptom) <= 4,
  );
  const byNode = Map.groupBy(told, ({ node }) => node);
  const dated = told.filter(symptom => symptom.first.nanos !== null && counts(symptom));
  const datedByNode = Map.groupBy(dated, ({ node }) => node);
  const byOtherClock = (fault: Symptom): Symptom | undefined =>
    datedByNode
      .get(fault.node)
      ?.find(other => (isStrong(other) || fault.strength === 'S1') && isOneFault(fault, other));
  return fault => {
    const direct = byOtherClock(fault);
    if (direct !== undefined || fault.inhibits.length === 0) return direct;
    const explained = byNode
      .get(fault.node)
      ?.filter(other => other.first.clock === fault.first.clock && explains(fault, other));
    return explained?.map(byOtherClock).find(found => found !== undefined);
  };
}
