import type { Reference, Symptom } from './symptom.ts';

/** The name under which pushed logs are a source. */
export const pushedSource = 'pushed';

/** One observation that was pushed, by the name of its content. */
export interface PushedObservation {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** What a reference to a line of a pushed observation quotes as its path: `pushed/SESSION/OBSERVATION`. */
export function pushedPath(session: string, observation: string): string {
  return `${pushedSource}/${session}/${observation}`;
}

export interface PushedPlace {
  readonly session: string;
  readonly observation: string;
}

export function readPushedPath(path: string): PushedPlace | null {
  const [source, session, observation, ...more] = path.split('/');
  if (source !== pushedSource || !session || !observation || more.length > 0) return null;
  return { session, observation };
}

/** Observations that symptoms cite, those of the strongest first. */
export function citedObservations(symptoms: readonly Symptom[]): readonly PushedPlace[] {
  const places = symptoms
    .toSorted((a, b) => (a.strength < b.strength ? -1 : a.strength > b.strength ? 1 : 0))
    .flatMap(({ observations }) => observations.map(({ reference }) => placeOf(reference)));
  const cited = places.filter(place => place !== null);
  return [...new Map(cited.map(place => [pushedPath(place.session, place.observation), place])).values()];
}

function placeOf(reference: Reference): PushedPlace | null {
  return reference.kind === 'file' ? readPushedPath(reference.path) : null;
}
