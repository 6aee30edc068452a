import type { Symptom } from '../../core/symptom.ts';
import { expandHostList } from '../../lines/host-list.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { isSameJob } from './same-job.ts';
import { settle } from './verdict.ts';

const name = 'other-jobs-device';
const maxIndexes = 256;

/**
 * On shared nodes, a fault of a GPU that the scheduler gave to another job is context. Only the scheduler's own
 * placement counts, and only where the device's index is known.
 */
export const otherJobsDevice: Pass = {
  name,
  run(symptoms, context) {
    const given = devicesGiven(symptoms, context.request.workloadId);
    if (given.size === 0) return symptoms;
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || symptom.node === null) return symptom;
      const index = symptom.device?.index ?? null;
      const shares = given.get(symptom.node);
      if (index === null || shares === undefined || shares.ours.has(index)) return symptom;
      if (shares.ours.size === 0 && !shares.theirs.has(index)) return symptom;
      return settle(symptom, 'context', name, `GPU ${index} of ${symptom.node} was given to another job`);
    });
  },
};

interface Shares {
  readonly ours: Set<number>;
  readonly theirs: Set<number>;
}

function devicesGiven(symptoms: readonly Symptom[], workloadId: string): ReadonlyMap<string, Shares> {
  const given = new Map<string, Shares>();
  for (const symptom of symptoms) {
    if (symptom.ruleRole !== 'placement' || symptom.origin !== 'scheduler' || symptom.node === null) continue;
    for (const { captures } of symptom.observations) {
      const job = captures['job'];
      const gpus = captures['gpu'];
      if (job === undefined || gpus === undefined) continue;
      const shares = given.get(symptom.node) ?? { ours: new Set(), theirs: new Set() };
      given.set(symptom.node, shares);
      const side = isSameJob(job, workloadId) ? shares.ours : shares.theirs;
      for (const index of indexes(gpus)) side.add(index);
    }
  }
  return given;
}

/** Indexes as the scheduler writes them: `0-3,6`. */
function indexes(text: string): readonly number[] {
  const expanded = expandHostList(`[${text}]`, maxIndexes);
  return expanded.ok ? expanded.names.map(Number) : [];
}
