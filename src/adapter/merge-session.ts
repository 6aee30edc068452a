import type { Session, SessionPart } from '../core/session.ts';

/**
 * What two calls on one session found, side by side: neither is lost. Where both speak of the same symptom or
 * source, the later call is kept, since it read later.
 */
export function mergePart(stored: Session, later: SessionPart): Session {
  return {
    ...stored,
    windows: union(stored.windows, later.windows, window => `${window.from}-${window.to}`),
    symptoms: union(stored.symptoms, later.symptoms, symptom => symptom.id),
    coverage: union(stored.coverage, later.coverage, entry =>
      JSON.stringify([entry.source, entry.origin, `${entry.window?.from}-${entry.window?.to}`]),
    ),
    corpusHash: later.corpusHash ?? stored.corpusHash,
    ...historyOf(stored, later),
    ...(later.changes === undefined ? {} : { changes: later.changes }),
  };
}

/** The first look at history stands. */
function historyOf(stored: Session, later: SessionPart): Pick<Session, 'history'> {
  const history = stored.history ?? later.history;
  return history === undefined ? {} : { history };
}

function union<T>(first: readonly T[], later: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map([...first, ...later].map(item => [key(item), item])).values()];
}
