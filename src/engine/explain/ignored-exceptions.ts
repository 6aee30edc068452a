import type { Observation, Symptom } from '../../core/symptom.ts';
import { second } from '../../core/time.ts';
import type { Pass } from '../context.ts';
import { isUndecided } from './causal.ts';
import { nameOf, settle } from './verdict.ts';

const name = 'ignored-exceptions';

/** Lines that the traceback of an ignored exception takes at the most, those of others between them. */
const longestTraceback = 1_000n;
/** And the time, where a store knows no lines. */
const longestTracebackTime = 2n * second;

/**
 * Python says of an exception that nobody can catch that it ignores it, and prints its traceback then: the first
 * exception of that rank below these words ended nothing.
 */
export const ignoredExceptions: Pass = {
  name,
  run(symptoms) {
    const words = symptoms.filter(({ symptom, origin }) => symptom === 'exception-ignored' && origin === 'job');
    if (words.length === 0) return symptoms;
    const errors = symptoms.filter(isProgramError);
    const ignored = new Map<string, Symptom>();
    for (const word of words) {
      for (const at of word.observations) {
        for (const error of firstBelow(at, errors)) ignored.set(placeOf(error), word);
      }
    }
    return symptoms.map(symptom => {
      if (!isProgramError(symptom) || symptom.count > symptom.observations.length) return symptom;
      const reasons = symptom.observations.map(observation => ignored.get(placeOf(observation)));
      const [word] = reasons;
      if (word === undefined || reasons.includes(undefined)) return symptom;
      return settle(symptom, 'context', name, `ended nothing: ${nameOf(word)}`, word.id);
    });
  },
};

const isProgramError = (symptom: Symptom): boolean =>
  symptom.origin === 'job' && symptom.blames === 'job' && isUndecided(symptom);

/** With what repeats it word for word: lines may come twice. */
function firstBelow(word: Observation, errors: readonly Symptom[]): readonly Observation[] {
  const from = positionOf(word);
  if (from === null) return [];
  const longest = word.reference.kind === 'file' ? longestTraceback : longestTracebackTime;
  const below = errors
    .flatMap(({ observations }) => observations)
    .filter(error => error.stream === word.stream && error.rank === word.rank)
    .flatMap(error => {
      const at = positionOf(error);
      return at === null || at <= from || at > from + longest ? [] : [{ error, at }];
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  return below.map(({ error }) => error).filter(({ text }) => text === below[0]?.error.text);
}

/** The line of a file, else the time in a store, where lines of one stamp cannot be told apart. */
function positionOf({ reference, instant }: Observation): bigint | null {
  return reference.kind === 'file' ? BigInt(reference.line) : instant.nanos;
}

const placeOf = (observation: Observation): string =>
  `${observation.stream} ${observation.rank} ${positionOf(observation)}`;
