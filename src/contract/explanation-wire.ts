import { datetimeToWire } from './datetime-wire.ts';
import { type ResponseReference, type ResponseTarget, referenceToWire } from './render-response.ts';
import type { EpochNanos, ErrorCategory, ErrorType } from './vocabulary.ts';

/** Why an answer is what it is, as command line and operations API print it; no part of the OpenAPI document. */
export interface WireExplanation {
  /** Hash of the rules it was reasoned by. */
  readonly corpus: string | null;
  readonly symptoms: readonly WireSymptom[];
  /** What would have led to another answer; null where that was not reckoned. */
  readonly changes: readonly WireChange[] | null;
}

export interface WireSymptom {
  readonly id: string;
  readonly rule: string;
  readonly title: string;
  readonly symptom: string;
  readonly code: string | null;
  readonly category: ErrorCategory;
  readonly strength: string;
  readonly status: string;
  readonly blames: string;
  readonly rule_role: string;
  readonly origin: string;
  readonly node: string | null;
  readonly rank: number | null;
  readonly device: WireDevice | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly count: number;
  readonly count_is_at_least: boolean;
  /** initiating, cascade, teardown, context or unknown. */
  readonly role: string;
  readonly reason: WireReason | null;
  /** The first line or sample of it. */
  readonly evidence: { readonly message: string; readonly reference: string } | null;
}

interface WireDevice {
  readonly pci: string | null;
  readonly uuid: string | null;
  readonly index: number | null;
  readonly name: string | null;
}

export interface WireReason {
  /** What it rests on: rule, inhibition or guard. */
  readonly kind: string;
  /** The step of the reasoning that decided. */
  readonly pass: string;
  readonly text: string;
  /** Id of the symptom that explains it. */
  readonly cause: string | null;
}

export interface WireChange {
  readonly said: string;
  readonly change:
    | { readonly kind: 'symptoms'; readonly ids: readonly string[] }
    | { readonly kind: 'guards'; readonly names: readonly string[] };
  readonly verdict: { readonly targets: readonly ResponseTarget[]; readonly error: ErrorType | null };
}

interface Stamp {
  readonly nanos: EpochNanos | null;
}

interface SymptomFields {
  readonly id: string;
  readonly rule: string;
  readonly title: string;
  readonly symptom: string;
  readonly code: string | null;
  readonly category: ErrorCategory;
  readonly strength: string;
  readonly status: string;
  readonly blames: string;
  readonly ruleRole: string;
  readonly origin: string;
  readonly node: string | null;
  readonly rank: number | null;
  readonly device: WireDevice | null;
  readonly first: Stamp;
  readonly last: Stamp;
  readonly count: number;
  readonly countIsAtLeast: boolean;
  readonly role: string;
  readonly reason: WireReason | null;
  readonly observations: readonly { readonly text: string; readonly reference: ResponseReference }[];
}

interface ChangeFields {
  readonly said: string;
  readonly change: WireChange['change'];
  readonly verdict: { readonly targets: readonly ResponseTarget[]; readonly problem: ErrorType | null };
}

/** What a session, or one answer, holds of its reasons. */
export interface ExplanationFields {
  readonly corpusHash: string | null;
  readonly symptoms: readonly SymptomFields[];
  readonly changes?: readonly ChangeFields[] | null;
}

/** A line is shown to be recognised; its reference opens the whole. */
const mostTextLength = 500;

/** `redact` is applied to every text that was read somewhere: lines, names, and sentences that hold names. */
export function explanationToWire(
  { corpusHash, symptoms, changes }: ExplanationFields,
  redact: (text: string) => string,
): WireExplanation {
  return {
    corpus: corpusHash,
    symptoms: symptoms.map(symptom => symptomToWire(symptom, redact)),
    changes: changes?.map(change => changeToWire(change, redact)) ?? null,
  };
}

function symptomToWire(symptom: SymptomFields, redact: (text: string) => string): WireSymptom {
  const { reason } = symptom;
  const [seen] = symptom.observations;
  return {
    id: symptom.id,
    rule: symptom.rule,
    title: symptom.title,
    symptom: symptom.symptom,
    code: symptom.code,
    category: symptom.category,
    strength: symptom.strength,
    status: symptom.status,
    blames: symptom.blames,
    rule_role: symptom.ruleRole,
    origin: symptom.origin,
    node: symptom.node === null ? null : redact(symptom.node),
    rank: symptom.rank,
    device: symptom.device === null ? null : deviceToWire(symptom.device, redact),
    first: stampToWire(symptom.first),
    last: stampToWire(symptom.last),
    count: symptom.count,
    count_is_at_least: symptom.countIsAtLeast,
    role: symptom.role,
    reason: reason === null ? null : { ...reason, text: redact(reason.text) },
    evidence:
      seen === undefined
        ? null
        : {
            message: redact(seen.text).slice(0, mostTextLength),
            reference: redactedReference(seen.reference, redact),
          },
  };
}

function deviceToWire({ pci, uuid, index, name }: WireDevice, redact: (text: string) => string): WireDevice {
  return { pci, uuid, index, name: name === null ? null : redact(name) };
}

/** A path stays as it is, so that the line can be opened again. */
function redactedReference(reference: ResponseReference, redact: (text: string) => string): string {
  const said = referenceToWire(reference);
  return reference.kind === 'query' ? redact(said) : said;
}

const stampToWire = ({ nanos }: Stamp): string | null => (nanos === null ? null : datetimeToWire(nanos));

function changeToWire({ said, change, verdict }: ChangeFields, redact: (text: string) => string): WireChange {
  return {
    said: redact(said),
    change,
    verdict: { targets: verdict.targets, error: verdict.problem },
  };
}
