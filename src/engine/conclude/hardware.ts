import type { Symptom } from '../../core/symptom.ts';
import type { ErrorCategory } from '../../core/target.ts';
import { isStrong, strengthRank } from '../explain/verdict.ts';

/** Faults that a node's own kernel log would show. */
const inKernelLog: ReadonlySet<ErrorCategory> = new Set([
  'accelerator_gpu',
  'accelerator_memory',
  'accelerator_fabric',
  'pcie',
  'host_memory',
  'host_kernel',
  'thermal_power',
  'network_fabric',
]);

/** Faults of a node's set-up that only the programs running there notice. */
const ofSetUp: ReadonlySet<ErrorCategory> = new Set([
  'node_configuration',
  'storage_local',
  'container_runtime',
]);

/** A fault whose hardware reports to the kernel. */
export const isHardware = (symptom: Symptom): boolean => inKernelLog.has(symptom.category);

export const isSetUp = (symptom: Symptom): boolean => ofSetUp.has(symptom.category);

/** Families of rules that read what devices report or what programs say of devices. */
const deviceFamilies: ReadonlySet<string> = new Set(['cuda', 'gpu', 'nvlink']);

/** An error that a program makes as well as a broken device (page faults, illegal accesses): alone it decides little. */
export function isAmbiguous(symptom: Symptom): boolean {
  const [family] = symptom.rule.split('/');
  if (strengthRank(symptom) > 4) return true;
  return (
    symptom.strength === 'S4' && symptom.category === 'application_error' && deviceFamilies.has(family ?? '')
  );
}

/** Read where no job could have written it. */
export const isTrusted = (symptom: Symptom): boolean => symptom.origin !== 'job';

/** Trusted, strong and local: what must be told even where nothing is concluded from it. */
export const isNodeProof = (symptom: Symptom): boolean => symptom.node !== null && isProof(symptom);

/** The same of a node that nothing tells, and that nothing explains: it may be the cause, and names nobody. */
export const isHomelessProof = (symptom: Symptom): boolean =>
  symptom.node === null && symptom.role === 'unknown' && isProof(symptom);

function isProof(symptom: Symptom): boolean {
  return (
    isTrusted(symptom) &&
    isStrong(symptom) &&
    symptom.blames === 'node' &&
    symptom.ruleRole === 'root' &&
    symptom.status === 'stable'
  );
}
