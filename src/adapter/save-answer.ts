import type { SessionStore } from '../core/ports.ts';
import type { Session, SessionPart, StoredAnswer } from '../core/session.ts';
import { mergePart } from './merge-session.ts';

/** Other calls may win the race this often before giving up; each win is progress of theirs. */
const attempts = 16;

/**
 * Adds an answer to the session, with what the provider kept. `seen` is the session as this call knows it; where
 * another call has changed it since, both are merged. Resolves to the session as stored, or null where it is no longer
 * there or never came free; rejects where the store fails.
 */
export async function saveAnswer(
  store: SessionStore,
  seen: Session,
  kept: SessionPart | null,
  answer: StoredAnswer,
): Promise<Session | null> {
  let current = seen;
  let next = kept === null ? seen : { ...seen, ...kept };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    next = { ...next, answers: [...current.answers, answer] };
    const result = await store.update(next);
    if (result === 'updated') return { ...next, version: next.version + 1 };
    if (result === 'unknown') return null;
    const fresh = await store.get(seen.id, seen.binding);
    if (fresh === null) return null;
    current = fresh;
    next = kept === null ? fresh : mergePart(fresh, kept);
  }
  return null;
}
