import type { Symptom } from '../../core/symptom.ts';
import { originRank } from '../explain/verdict.ts';
import { isTrusted } from './hardware.ts';
import { accusing } from './judgement.ts';
import { recurrenceName } from './recurrence.ts';

/**
 * How well a node is proven. What counts is which transport tells, how decisive what it tells is, and whether another
 * one agrees: kinds of proof that are right more or less often.
 */
export type ProofLevel =
  | 'decisive-confirmed'
  | 'decisive'
  | 'local-confirmed'
  | 'local'
  | 'reported'
  | 'job-text';

/** What each level is, for the page about them. */
export const proofLevels: Readonly<Record<ProofLevel, string>> = {
  'decisive-confirmed':
    "the kernel or the scheduler tells what only broken hardware or a lost node shows, and another source than the job's text agrees",
  decisive: 'the same, and no other such source speaks of the node',
  'local-confirmed':
    "the kernel or the scheduler tells of a link, a device or a set-up, and another source than the job's text agrees",
  local: 'the same, and no other such source speaks of the node',
  reported: 'an exporter or a health check tells, and neither the kernel nor the scheduler',
  'job-text': "only the job's own text tells; capped, since whoever runs the job can print anything",
};

/**
 * The level of what accuses one node; null where none is known: nodes named together (rarely are all of them at fault),
 * and devices named for what happened to earlier jobs. Whatever the program or its victims print raises no level.
 */
export function proofLevelOf(leads: readonly Symptom[], symptoms: readonly Symptom[]): ProofLevel | null {
  const accused = new Set(accusing(symptoms).map(({ node }) => node));
  const lead = leads.toSorted((a, b) => originRank(a) - originRank(b))[0];
  if (lead === undefined || accused.size > 1) return null;
  if (leads.some(({ reason }) => reason?.pass === recurrenceName)) return null;
  if (lead.origin === 'job') return 'job-text';
  if (lead.origin === 'exporter' || lead.origin === 'health') return 'reported';
  const isConfirmed = symptoms.some(symptom => agrees(symptom, lead));
  const isDecisive = leads.some(symptom => symptom.strength === 'S1' && originRank(symptom) === 0);
  if (isDecisive) return isConfirmed ? 'decisive-confirmed' : 'decisive';
  return isConfirmed ? 'local-confirmed' : 'local';
}

/** What another source tells against the node, in support of that, or as following from it there. */
function agrees(symptom: Symptom, lead: Symptom): boolean {
  const { node, origin, role, ruleRole } = symptom;
  if (node !== lead.node || origin === lead.origin || !isTrusted(symptom) || ruleRole === 'victim')
    return false;
  return role === 'initiating' || role === 'cascade' || ruleRole === 'confirmation';
}
