import type { Rule } from '../../engine/corpus/rule.ts';

type Judged = Pick<Rule, 'blames' | 'status' | 'role' | 'strength'>;

/** Whom a rule or code may name, and when, as one sentence without its full stop. */
export function namingOf({ blames, status, role, strength }: Judged): string {
  if (blames === 'nobody') return ofNobody[role];
  const whom = blames === 'node' ? (ofNode[strength] ?? 'names no node') : ofJob;
  return status === 'stable' ? whom : `names nobody as long as its status is ${status}; once stable it ${whom}`;
}

const ofJob = 'blames the job as a whole: its program, data, limits or image';
const ofNode: Readonly<Partial<Record<Judged['strength'], string>>> = {
  S1: 'names its node: kernel or scheduler state that hardware or the node is gone',
  S2: 'names its node: an own device reports what only hardware does',
  S3: 'names its node, unless several nodes show the same: then it counts against none',
  S4: 'names its node only where the same device showed it in other workflows, or something strong stands beside it',
};

const ofNobody: Readonly<Record<Judged['role'], string>> = {
  root: 'may begin a failure, and alone decides nothing: blames nobody',
  cascade: 'follows from another fault: blames nobody',
  victim: 'is what somebody suffers from a failure: accuses nobody',
  confirmation: 'goes with a fault that another symptom proves: blames nobody',
  progress: 'shows that the run went on: a fault before it was survived',
  boot: 'shows when the node started: what boots print says little',
  maintenance: 'excuses its node: somebody planned it',
  placement: 'shows where a rank or the job ran',
  noise: 'is known to be harmless: keeps a loud line from being believed',
};
