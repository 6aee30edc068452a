import type { Symptom } from '../../core/symptom.ts';
import type { Change } from '../../core/verdict-change.ts';
import { concludeSteps } from '../../engine/conclude/conclude.ts';
import type { Step } from '../../engine/conclude/judgement.ts';
import type { Pass } from '../../engine/context.ts';
import { explainPasses } from '../../engine/explain/explain.ts';
import { mergeJoined } from '../../engine/explain/merge-joined.ts';

/** Passes that can be thought away, each with what it holds against a symptom. The others only bring order. */
export const guards: Readonly<Record<string, string>> = {
  'other-jobs-device': "what another job's GPU shows says nothing of this one",
  'other-jobs-word': 'what the scheduler says of another job says nothing of this one',
  'outside-window': 'what lies outside the window says nothing',
  'before-job': 'what came before the job says nothing',
  'after-end': 'what followed the end is teardown',
  maintenance: 'a planned reboot excuses its node',
  boot: 'what devices say while a node starts says nothing',
  recovered: 'what was over before the failure did not cause it',
  survived: 'a fault followed by training progress did not end the run',
  'caused-by': 'a line that names its cause follows from it',
  'stuck-collective': 'what began after a collective got stuck did not cause that',
  inhibit: 'consequences follow from their cause',
  recurrence: 'what the same device showed in other workflows counts',
  outranked: 'the kernel log outranks what others say of its node',
  'lone-lack': 'what one node alone lacks is its own',
  'shared-cause': 'what several nodes show has a cause that they share',
  'lone-client': 'a node that a storage turned away alone is at fault only where others were served',
  'job-text': "a job's own output alone names no node",
  'first-fault': 'the first fault explains those that follow',
  breadth: 'so many nodes are not at fault together',
};

/** The symptoms that are left to reckon times and names from. */
export function symptomsWithout(symptoms: readonly Symptom[], change: Change | null): readonly Symptom[] {
  return change?.kind === 'symptoms' ? symptoms.filter(({ id }) => !change.ids.includes(id)) : symptoms;
}

/** Symptoms go once those that are one have been joined, since that settles their ids. */
export function explainWithout(change: Change | null): readonly Pass[] {
  if (change === null) return explainPasses;
  if (change.kind === 'guards') return explainPasses.filter(({ name }) => !change.names.includes(name));
  const unseen: Pass = {
    name: 'unseen',
    run: symptoms => symptoms.filter(({ id }) => !change.ids.includes(id)),
  };
  return explainPasses.flatMap(pass => (pass === mergeJoined ? [pass, unseen] : [pass]));
}

export function stepsWithout(change: Change | null): readonly Step[] {
  if (change?.kind !== 'guards') return concludeSteps;
  return concludeSteps.filter(({ name }) => !change.names.includes(name));
}
