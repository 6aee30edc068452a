import { coverageStatuses, datetimeFromWire, errorCategories, errorTypes } from '../contract/index.ts';
import type { CoverageGroup, SourceCoverage } from '../core/coverage.ts';
import { type Evidence, evidenceKinds, type Finding, type Outcome, type Problem } from '../core/outcome.ts';
import type { Reference } from '../core/symptom.ts';
import type { Target } from '../core/target.ts';
import type { Nanos, Window } from '../core/time.ts';
import { asList, asObject, asText, asWhole, Malformed, type Place, within, wordOf } from './read-fields.ts';

export type ReadOutcome =
  | { readonly ok: true; readonly outcome: Outcome }
  /** Which member is wrong, and how; no value. */
  | { readonly ok: false; readonly problem: string };

/**
 * An outcome that came from code not of ours, copied and checked member by member. Times are nanoseconds as a bigint,
 * a Date, or a datetime with its offset. Members that can be empty may be left out, unknown ones are ignored. A finding
 * without evidence is malformed: no node is named on nothing.
 */
export function readOutcome(value: unknown): ReadOutcome {
  try {
    return { ok: true, outcome: outcomeOf(within(value, 'outcome')) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message };
    return { ok: false, problem: 'outcome: its members cannot be read' };
  }
}

function outcomeOf(place: Place): Outcome {
  const fields = asObject(place);
  return {
    findings: asList(fields('findings'), findingOf),
    unattributed: asList(fields('unattributed'), targetOf),
    coverage: asList(fields('coverage'), coverageOf, 'required'),
    problem: orNull(fields('problem'), problemOf),
  };
}

function findingOf(place: Place): Finding {
  const fields = asObject(place);
  const evidence = asList(fields('evidence'), evidenceOf, 'required');
  if (evidence.length === 0) throw new Malformed(fields('evidence'), 'is empty: a finding cites its evidence');
  return {
    target: targetOf(fields('target')),
    category: wordOf(fields('category'), errorCategories),
    observedAt: orNull(fields('observedAt'), timeOf),
    evidence,
    confidence: orNull(fields('confidence'), shareOf),
  };
}

function targetOf(place: Place): Target {
  const fields = asObject(place);
  const type = wordOf(fields('type'), ['Node', 'AllJobResources']);
  if (type === 'AllJobResources') return { type };
  const node = asText(fields('node'));
  if (node === '') throw new Malformed(fields('node'), 'is empty');
  return { type, node };
}

function evidenceOf(place: Place): Evidence {
  const fields = asObject(place);
  return {
    kind: wordOf(fields('kind'), evidenceKinds),
    source: asText(fields('source')),
    observedAt: orNull(fields('observedAt'), timeOf),
    node: orNull(fields('node'), asText),
    message: asText(fields('message')),
    reference: orNull(fields('reference'), referenceOf),
  };
}

function referenceOf(place: Place): Reference {
  const fields = asObject(place);
  const kind = wordOf(fields('kind'), ['file', 'query']);
  return kind === 'file'
    ? { kind, path: asText(fields('path')), line: asWhole(fields('line')) }
    : { kind, query: asText(fields('query')), stamp: asText(fields('stamp')) };
}

const origins = ['kernel', 'scheduler', 'exporter', 'health', 'job'] as const;

function coverageOf(place: Place): SourceCoverage {
  const fields = asObject(place);
  return {
    source: asText(fields('source')),
    origin: wordOf(fields('origin'), origins),
    window: orNull(fields('window'), windowOf),
    query: orNull(fields('query'), asText),
    filter: orNull(fields('filter'), asText),
    streams: orNull(fields('streams'), asWhole) ?? 0,
    lines: orNull(fields('lines'), asWhole) ?? 0,
    bytes: orNull(fields('bytes'), asWhole) ?? 0,
    groups: asList(fields('groups'), groupOf, 'required'),
    notYet: orNull(fields('notYet'), windowOf),
    remarks: asList(fields('remarks'), asText),
  };
}

function groupOf(place: Place): CoverageGroup {
  const fields = asObject(place);
  return {
    status: wordOf(fields('status'), coverageStatuses),
    nodes: orNull(fields('nodes'), asText) ?? '',
    count: orNull(fields('count'), asWhole) ?? 0,
    reason: orNull(fields('reason'), asText),
  };
}

function windowOf(place: Place): Window {
  const fields = asObject(place);
  return { from: timeOf(fields('from')), to: timeOf(fields('to')) };
}

function problemOf(place: Place): Problem {
  const fields = asObject(place);
  return { type: wordOf(fields('type'), errorTypes), message: asText(fields('message')) };
}

function shareOf(place: Place): number {
  const { value } = place;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new Malformed(place, 'is no number from 0 to 1, nor null');
}

/** The years 1970 to 9999: what a datetime of the contract can say about a failure. */
const lastNanos = 253_402_300_799_999_999_999n;

function timeOf(place: Place): Nanos {
  const nanos = nanosOf(place.value);
  if (nanos !== null && nanos >= 0n && nanos <= lastNanos) return nanos;
  throw new Malformed(place, 'is no time: give nanoseconds as a bigint, a Date, or a datetime with its offset');
}

function nanosOf(value: unknown): Nanos | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string') return datetimeFromWire(value);
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return null;
  return BigInt(value.getTime()) * 1_000_000n;
}

function orNull<T>(place: Place, read: (place: Place) => T): T | null {
  return place.value === undefined || place.value === null ? null : read(place);
}
