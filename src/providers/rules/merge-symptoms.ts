import type { Observation, Symptom } from '../../core/symptom.ts';
import { before, type Instant } from '../../core/time.ts';

const observationsKept = 5;
/** Of these progress, which tells by its ends how long a run went on, gives some to the latest. */
const earliestKeptOfEnds = 2;

/**
 * Joins the symptoms of two reads. The same fold key seen twice is one symptom: what both reads saw counts once, so the
 * larger count stands. Causal roles are decided again by explain.
 */
export function mergeSymptoms(earlier: readonly Symptom[], later: readonly Symptom[]): readonly Symptom[] {
  const merged = new Map(earlier.map(symptom => [symptom.id, unexplained(symptom)]));
  for (const symptom of later) {
    const known = merged.get(symptom.id);
    merged.set(symptom.id, known === undefined ? unexplained(symptom) : joined(known, symptom));
  }
  return [...merged.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function unexplained(symptom: Symptom): Symptom {
  return { ...symptom, role: 'unknown', reason: null };
}

function joined(a: Symptom, b: Symptom): Symptom {
  const observations = new Map<string, Observation>();
  for (const observation of [...a.observations, ...b.observations]) {
    observations.set(JSON.stringify([observation.source, observation.reference]), observation);
  }
  const ordered = [...observations.entries()].sort(
    ([keyA, x], [keyB, y]) => byTime(x.instant, y.instant) || (keyA < keyB ? -1 : 1),
  );
  return {
    ...b,
    first: byTime(a.first, b.first) <= 0 ? a.first : b.first,
    last: byTime(a.last, b.last) >= 0 ? a.last : b.last,
    count: Math.max(a.count, b.count),
    countIsAtLeast: a.countIsAtLeast || b.countIsAtLeast,
    observations: keptOf(
      ordered.map(([, observation]) => observation),
      b.ruleRole === 'progress',
    ),
    role: 'unknown',
    reason: null,
  };
}

function keptOf(ordered: readonly Observation[], ends: boolean): readonly Observation[] {
  if (!ends || ordered.length <= observationsKept) return ordered.slice(0, observationsKept);
  const latest = ordered.slice(earliestKeptOfEnds - observationsKept);
  return [...ordered.slice(0, earliestKeptOfEnds), ...latest];
}

/** A total order for keeping the earliest: dated before undated, then by stamp, then by place on one clock. */
function byTime(a: Instant, b: Instant): number {
  if (a.nanos !== null && b.nanos !== null && a.nanos !== b.nanos) return a.nanos < b.nanos ? -1 : 1;
  if ((a.nanos === null) !== (b.nanos === null)) return a.nanos === null ? 1 : -1;
  if (before(a, b) === 'yes') return -1;
  return before(b, a) === 'yes' ? 1 : 0;
}
