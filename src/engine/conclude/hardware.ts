import type { Symptom } from '../../core/symptom.ts';
import type { ErrorCategory } from '../../core/target.ts';
import { isStrong } from '../explain/verdict.ts';

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

/** Read where no job could have written it. */
export const isTrusted = (symptom: Symptom): boolean => symptom.origin !== 'job';

/** Trusted, strong and local: what must be told even where nothing is concluded from it. */
export function isNodeProof(symptom: Symptom): boolean {
  return (
    isTrusted(symptom) &&
    isStrong(symptom) &&
    symptom.blames === 'node' &&
    symptom.ruleRole === 'root' &&
    symptom.status === 'stable' &&
    symptom.node !== null
  );
}
