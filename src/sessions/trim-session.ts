import type { SourceCoverage } from '../core/coverage.ts';
import type { Evidence, Outcome } from '../core/outcome.ts';
import { pushedSource } from '../core/pushed.ts';
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
 * What to give up, dearest last: what a slow pass can do without, then excerpts, those of symptoms that never convict
 * first, then all answers, and at the end everything seen, which is marked as forgotten: no symptom is left out from among others, since
 * what is left may be that which would have been excused.
 */
export function trims(session: Session): readonly Trim[] {
  const earlier = halves(session.answers.length - 1).map(withoutEvidence);
  return [
    ...earlier,
    onlyLastAnswers,
    withoutChanges,
    shortWeakObservations,
    shortObservations,
    shortEvidence,
    noAnswers,
    nothingSeen,
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

const shortWeakObservations: Trim = {
  says: 'all but the first observation of each symptom that never convicts',
  apply: session => ({
    ...session,
    symptoms: session.symptoms.map(symptom => (symptom.strength < 'S5' ? symptom : shortSymptom(symptom))),
  }),
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

const nothingSeen: Trim = {
  says: 'everything seen (a slow pass reads again what was read; what was pushed is lost)',
  apply(session) {
    const pushed = session.coverage.filter(({ source }) => source === pushedSource);
    const isLost = pushed.length > 0 || session.forgotten === 'pushed';
    return {
      ...session,
      symptoms: [],
      coverage: pushed.map(forgottenCoverage),
      corpusHash: null,
      forgotten: isLost ? 'pushed' : 'read',
    };
  },
};

const forgottenReason =
  'what was pushed did not fit into its session and was not kept: nobody can be named by it';

function forgottenCoverage(source: SourceCoverage): SourceCoverage {
  const count = source.groups.reduce((sum, group) => sum + group.count, 0);
  const group = { status: 'failed', nodes: '', count, reason: forgottenReason } as const;
  return { ...source, groups: [group], remarks: [forgottenReason] };
}

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
