import type { SessionStore } from '../core/ports.ts';
import type { Session, SessionPart, StoredAnswer } from '../core/session.ts';
import type { JoinedSession } from './join-session.ts';
import { mergePart } from './merge-session.ts';

/** Other calls may win the race this often before giving up; each win is progress of theirs. */
const attempts = 16;

/**
 * Adds an answer to the session as this call knows it, with what the provider kept; one that was not opened yet is
 * opened with it. Where another call has changed the session since, both are merged. Resolves to the session as stored,
 * or null where it is no longer there or never came free; rejects where the store fails.
 */
export async function saveAnswer(
  store: SessionStore,
  joined: JoinedSession,
  kept: SessionPart | null,
  answer: StoredAnswer,
): Promise<Session | null> {
  const seen = joined.session;
  let current = seen;
  let next = kept === null ? seen : { ...seen, ...kept };
  if (joined.stored() === null) {
    const first = { ...next, answers: [answer] };
    await store.open(first);
    return first;
  }
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
