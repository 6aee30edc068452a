import type { Symptom } from '../../core/symptom.ts';
import type { Pass } from '../context.ts';
import { isCausal } from './causal.ts';
import { sameDevice } from './devices.ts';
import { byWeight } from './order.ts';
import { isOpen, isStrong, nameOf, settle } from './verdict.ts';

const name = 'mark-initiating';

/**
 * What no pass explained: roots that hold a node or the job responsible are where the failure may have begun, the
 * rest stays unknown and says why. Ambiguous device errors need a strong symptom of the same device, which then
 * explains them.
 */
export const markInitiating: Pass = {
  name,
  run(symptoms) {
    const strong = symptoms.filter(
      symptom => symptom.strength === 'S1' && symptom.node !== null && isOpen(symptom) && mayInitiate(symptom),
    );
    const strongOn = Map.groupBy(strong.toSorted(byWeight), symptom => symptom.node ?? '');
    return symptoms.map(symptom => (isOpen(symptom) ? judge(symptom, strongOn) : symptom));
  },
};

const mayInitiate = (symptom: Symptom): boolean => symptom.status === 'stable' && symptom.ruleRole === 'root';

/** Only stable rules may name a node; what concerns the whole job isolates nobody. */
function mayDecide({ status, blames }: Symptom): boolean {
  return status === 'stable' || (status === 'test' && blames !== 'node');
}

function judge(symptom: Symptom, strongOn: ReadonlyMap<string, readonly Symptom[]>): Symptom {
  const unknown = (text: string): Symptom => settle(symptom, 'unknown', name, text);
  if (!isCausal(symptom)) return unknown('neither cause nor consequence');
  if (symptom.ruleRole === 'confirmation') {
    return settle(symptom, 'context', name, 'supports other evidence and convicts nobody');
  }
  if (symptom.ruleRole === 'victim') return unknown('tells what was suffered, not who is at fault');
  if (symptom.ruleRole === 'cascade') return unknown('usually a consequence; its cause was not read');
  if (!mayDecide(symptom)) return unknown(`its rule is ${symptom.status}`);
  if (symptom.blames === 'nobody') return unknown('its rule holds nobody responsible');
  if (symptom.blames === 'job')
    return settle(symptom, 'initiating', name, 'unexplained, and of the job as a whole');
  return judgeNode(symptom, strongOn);
}

function judgeNode(symptom: Symptom, strongOn: ReadonlyMap<string, readonly Symptom[]>): Symptom {
  const unknown = (text: string): Symptom => settle(symptom, 'unknown', name, text);
  if (isStrong(symptom)) {
    if (symptom.node === null) return unknown('no line proves which node shows it');
    return settle(symptom, 'initiating', name, `unexplained, and local to ${symptom.node}`);
  }
  if (symptom.strength !== 'S4') return unknown('too weak to say who is at fault');
  const strong = strongOn
    .get(symptom.node ?? '')
    ?.find(cause => sameDevice(cause.device, symptom.device) !== 'no');
  if (strong === undefined || symptom.node === null) {
    return unknown(
      'hardware or program: it needs a strong symptom of the same device or other jobs that failed on it',
    );
  }
  return settle(symptom, 'cascade', name, `goes with ${nameOf(strong)}`, strong.id);
}
