import type { Symptom } from '../../core/symptom.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { afterEnd } from './after-end.ts';
import { beforeJob } from './before-job.ts';
import { boot } from './boot.ts';
import { causedBy } from './caused-by.ts';
import { ignoredExceptions } from './ignored-exceptions.ts';
import { inhibit } from './inhibit.ts';
import { joinNodes } from './join-nodes.ts';
import { maintenance } from './maintenance.ts';
import { markInitiating } from './mark-initiating.ts';
import { mergeJoined } from './merge-joined.ts';
import { type MoreReading, moreReading } from './more-reading.ts';
import { otherJobsDevice } from './other-jobs-device.ts';
import { otherJobsWord } from './other-jobs-word.ts';
import { othersMemory } from './others-memory.ts';
import { outsideScope } from './outside-scope.ts';
import { outsideWindow } from './outside-window.ts';
import { placeRanks } from './place-ranks.ts';
import { recovered } from './recovered.ts';
import { resumed } from './resumed.ts';
import { setAside } from './set-aside.ts';
import { stuckCollectivePass } from './stuck-collective.ts';
import { survived } from './survived.ts';

export type { MoreReading } from './more-reading.ts';

/** The order matters: first where, then when, then what explains what. A pass only judges what none before it did. */
export const explainPasses: readonly Pass[] = [
  joinNodes,
  mergeJoined,
  placeRanks,
  outsideScope,
  otherJobsDevice,
  otherJobsWord,
  othersMemory,
  outsideWindow,
  beforeJob,
  afterEnd,
  maintenance,
  boot,
  recovered,
  resumed,
  survived,
  ignoredExceptions,
  setAside,
  causedBy,
  stuckCollectivePass,
  inhibit,
  markInitiating,
];

export interface Explained {
  /** In the order of their ids, each with a role and a reason. */
  readonly symptoms: readonly Symptom[];
  /** One more read that may change the answer, or null. */
  readonly wants: MoreReading | null;
}

/** Gives every symptom its causal role and the reason for it. The order of the input changes nothing. */
export function explain(
  symptoms: readonly Symptom[],
  context: ReasoningContext,
  passes: readonly Pass[] = explainPasses,
): Explained {
  const fresh = symptoms
    .map(symptom => ({ ...symptom, role: 'unknown' as const, reason: null }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const explained = passes.reduce<readonly Symptom[]>((known, pass) => pass.run(known, context), fresh);
  return { symptoms: explained, wants: moreReading(explained, context) };
}
