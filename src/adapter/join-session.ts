import type { AttributionRequest } from '../contract/index.ts';
import type { Log, SessionStore } from '../core/ports.ts';
import type { Session, SessionBinding } from '../core/session.ts';
import type { Nanos } from '../core/time.ts';
import type { Deadline } from './deadline.ts';

/** The session of a call, and whether an answer may name it. */
export interface JoinedSession {
  readonly session: Session;
  /** Resolves to whether the session is stored; never rejects. Null: it has not been opened yet. */
  stored(): Promise<boolean> | null;
  /** Stores a new session now; without it, it is stored with its first answer. */
  open(): void;
}

/**
 * Resumes the session the request names, or begins a new one where it names none, or one that is unknown, expired or
 * bound otherwise. Never rejects.
 */
export async function joinSession(
  store: SessionStore,
  request: AttributionRequest,
  caller: string | null,
  created: { readonly id: string; readonly now: Nanos },
  deadline: Pick<Deadline, 'patiently'>,
  log: Log,
): Promise<JoinedSession> {
  const binding: SessionBinding = {
    workloadId: request.workloadId,
    workflowId: request.workloadContext.workflowId,
    attemptIndex: request.workloadContext.attemptIndex,
    caller,
  };
  const id = request.continueSession;
  // A store that hangs costs the session, not the answer.
  const known = id === null ? null : await deadline.patiently(resume(store, id, binding, log));
  if (known !== null) return { session: known, stored: () => resumed, open() {} };
  const session: Session = {
    id: created.id,
    version: 0,
    binding,
    createdAt: created.now,
    moment: request.failureContext.detectedAt,
    windows: [],
    symptoms: [],
    coverage: [],
    corpusHash: null,
    answers: [],
  };
  let stored: Promise<boolean> | null = null;
  return {
    session,
    stored: () => stored,
    open() {
      stored ??= open(store, session, log);
    },
  };
}

const resumed = Promise.resolve(true);

async function resume(
  store: SessionStore,
  id: string,
  binding: SessionBinding,
  log: Log,
): Promise<Session | null> {
  try {
    const session = await store.get(id, binding);
    if (session === null) log.info({}, 'session unknown: a new one is opened');
    return session;
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'session cannot be read: a new one is opened');
    return null;
  }
}

async function open(store: SessionStore, session: Session, log: Log): Promise<boolean> {
  try {
    await store.open(session);
    return true;
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'session cannot be saved: the answer names none');
    return false;
  }
}

/** Stores speak of files and remedies, never of what they hold. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason';
}
