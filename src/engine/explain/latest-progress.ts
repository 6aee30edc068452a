import type { Symptom } from '../../core/symptom.ts';
import { before } from '../../core/time.ts';
import { isOpen } from './verdict.ts';

/** Passes that only say what progress is for, and excuse none of it. */
const leaves = 'set-aside';

/** The last dated sign that training went on. */
export function latestProgress(symptoms: readonly Symptom[]): Symptom | undefined {
  let latest: Symptom | undefined;
  for (const symptom of symptoms) {
    if (symptom.ruleRole !== 'progress' || symptom.last.nanos === null) continue;
    if (!isOpen(symptom) && symptom.reason?.pass !== leaves) continue;
    if (latest === undefined || before(latest.last, symptom.last) === 'yes') latest = symptom;
  }
  return latest;
}
