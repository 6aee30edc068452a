import type { Evidence, Outcome } from '../core/outcome.ts';
import type { Session, StoredAnswer } from '../core/session.ts';
import type { Symptom } from '../core/symptom.ts';

/** One way to make a session smaller; `says` is what was given up, for the log and the session itself. */
export interface Trim {
  readonly says: string;
  apply(session: Session): Session;
}

const keptTextLength = 500;
const keptEvidence = 3;

/**
 * What to give up, dearest last: what a slow pass can do without, then what weakens its reasoning, and at the end
 * everything read, windows included, so that a slow pass reads it all again instead of trusting a remnant.
 */
export function trims(session: Session): readonly Trim[] {
  const earlier = halves(session.answers.length - 1).map(withoutEvidence);
  return [
    ...earlier,
    onlyLastAnswers,
    withoutChanges,
    shortObservations,
    shortEvidence,
    withoutVictims,
    nothingRead,
    noAnswers,
  ];
}

/** Half, three quarters, ... and all of `count`: a session of many answers is trimmed in few steps. */
function halves(count: number): readonly number[] {
  const steps: number[] = [];
  for (let done = 0; done < count; ) {
    done += Math.ceil((count - done) / 2);
    steps.push(done);
  }
  return steps;
}

function withoutEvidence(oldest: number): Trim {
  return {
    says: `evidence of the oldest ${oldest === 1 ? 'answer' : `${oldest} answers`}`,
    apply: session => ({
      ...session,
      answers: session.answers.map((answer, at) =>
        at < oldest ? mapEvidence(answer, () => [trimmedNote]) : answer,
      ),
    }),
  };
}

const onlyLastAnswers: Trim = {
  says: 'answers before the last two',
  apply: session => ({ ...session, answers: session.answers.slice(-2) }),
};

const withoutChanges: Trim = {
  says: 'what would have led to another verdict',
  apply: session => ({ ...session, changes: null }),
};

const shortObservations: Trim = {
  says: 'all but the first observation of each symptom',
  apply: session => ({ ...session, symptoms: session.symptoms.map(shortSymptom) }),
};

const shortEvidence: Trim = {
  says: `evidence beyond ${keptEvidence} items a finding`,
  apply: session => ({
    ...session,
    answers: session.answers.map(answer =>
      mapEvidence(answer, items => [...items.slice(0, keptEvidence).map(shortItem), trimmedNote]),
    ),
  }),
};

const withoutVictims: Trim = {
  says: 'symptoms that never convict',
  apply: session =>
    remark(
      { ...session, symptoms: session.symptoms.filter(({ strength }) => strength < 'S5') },
      'the session was too large: symptoms that never convict were not kept with it',
    ),
};

const nothingRead: Trim = {
  says: 'everything read (a slow pass reads it again)',
  apply: session => ({ ...session, windows: [], symptoms: [], coverage: [], corpusHash: null }),
};

const noAnswers: Trim = { says: 'all answers', apply: session => ({ ...session, answers: [] }) };

const trimmedNote: Evidence = {
  kind: 'note',
  source: 'session',
  observedAt: null,
  node: null,
  message: 'evidence was not kept: the session had reached its size limit',
  reference: null,
};

function mapEvidence(answer: StoredAnswer, map: (items: readonly Evidence[]) => Evidence[]): StoredAnswer {
  const outcome: Outcome = {
    ...answer.outcome,
    findings: answer.outcome.findings.map(finding => ({ ...finding, evidence: map(finding.evidence) })),
  };
  return { ...answer, outcome };
}

function shortItem(item: Evidence): Evidence {
  return { ...item, message: item.message.slice(0, keptTextLength) };
}

function shortSymptom(symptom: Symptom): Symptom {
  const observations = symptom.observations
    .slice(0, 1)
    .map(observation => ({ ...observation, text: observation.text.slice(0, keptTextLength) }));
  return { ...symptom, observations };
}

function remark(session: Session, text: string): Session {
  return {
    ...session,
    coverage: session.coverage.map(source => ({ ...source, remarks: [...source.remarks, text] })),
  };
}
