import { createHash } from 'node:crypto';
import type { Clock, Log, SessionStore } from '../core/ports.ts';
import type { Session, SessionBinding } from '../core/session.ts';
import { logTrimmed } from './log-trimmed.ts';
import { sameBinding } from './session-binding.ts';
import { bytesToSession, isShorterThan, sessionToBytes } from './session-bytes.ts';
import { defaultSessionLimits, type SessionLimits } from './session-limits.ts';

export interface MemoryStoreOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: SessionLimits;
}

interface Entry {
  readonly createdAt: bigint;
  readonly binding: SessionBinding;
  readonly version: number;
  readonly kept: KeptSession;
  readonly pushed: Pushed;
}

/** A short one as it is, since sessions do not change; a long one packed. */
type KeptSession = { readonly session: Session } | { readonly bytes: Uint8Array };

/** Bytes pushed to a session; absorbed ones leave only their hash, so that a repeat is still known. */
interface Pushed {
  lastMark: number;
  readonly chunks: Map<string, { readonly mark: number; readonly bytes: Uint8Array | null }>;
}

/** Each may take a mebibyte: more would not fit into the memory of most machines. */
const mostInMemory = 10_000;

/** Packing a shorter session saves less memory than the time it takes is worth. */
const shortLength = 16 * 1024;

/** Sessions for as long as the process lives. */
export function memorySessionStore(options: MemoryStoreOptions): SessionStore {
  const { clock, log, limits = defaultSessionLimits } = options;
  const { lifetimeNanos } = limits;
  const mostSessions = Math.min(limits.sessions, mostInMemory);
  const entries = new Map<string, Entry>();

  function living(id: string): Entry | undefined {
    const entry = entries.get(id);
    if (entry === undefined || clock.now() - entry.createdAt < lifetimeNanos) return entry;
    entries.delete(id);
    return undefined;
  }

  async function toEntry(session: Session, version: number, pushed: Pushed): Promise<Entry> {
    const kept = await keep(session);
    return { createdAt: session.createdAt, binding: session.binding, version, kept, pushed };
  }

  async function keep(session: Session): Promise<KeptSession> {
    if (session.answers.length <= limits.answers && isShorterThan(session, shortLength)) return { session };
    const { bytes, trimmed } = await sessionToBytes(session, limits);
    logTrimmed(log, session.id, trimmed);
    return { bytes };
  }

  /** A map keeps the order of insertion: the first key is the oldest session. */
  function makeRoom(): void {
    for (const [id, entry] of entries) {
      const expired = clock.now() - entry.createdAt >= lifetimeNanos;
      if (!expired && entries.size < mostSessions) return;
      entries.delete(id);
    }
  }

  /** Sessions that are being opened: an update comes after. */
  const opening = new Map<string, Promise<void>>();

  async function insert(session: Session): Promise<void> {
    const entry = await toEntry(session, session.version, { lastMark: 0, chunks: new Map() });
    if (entries.has(session.id)) throw new Error('a session of this id is already open');
    makeRoom();
    entries.set(session.id, entry);
  }

  return {
    open(session) {
      const opened = insert(session);
      opening.set(session.id, opened);
      const forget = (): unknown => opening.get(session.id) === opened && opening.delete(session.id);
      opened.then(forget, forget);
      return opened;
    },
    async get(id, binding) {
      const entry = living(id);
      if (entry === undefined || !sameBinding(entry.binding, binding)) return null;
      const { kept, version } = entry;
      return { ...('bytes' in kept ? await bytesToSession(kept.bytes) : kept.session), version };
    },
    async update(session, absorbed = 0) {
      await opening.get(session.id)?.catch(() => {});
      const before = living(session.id);
      if (before === undefined) return 'unknown';
      const entry = await toEntry(session, session.version + 1, before.pushed);
      const now = living(session.id);
      if (now === undefined) return 'unknown';
      if (now.version !== session.version) return 'conflict';
      entries.set(session.id, entry);
      const { chunks } = entry.pushed;
      for (const [hash, { mark }] of chunks) if (mark <= absorbed) chunks.set(hash, { mark, bytes: null });
      return 'updated';
    },
    append(id, bytes) {
      const pushed = living(id)?.pushed;
      const hash = createHash('sha256').update(bytes).digest('base64');
      if (pushed === undefined) return Promise.resolve('unknown');
      if (pushed.chunks.has(hash)) return Promise.resolve('repeated');
      pushed.lastMark += 1;
      pushed.chunks.set(hash, { mark: pushed.lastMark, bytes: Uint8Array.from(bytes) });
      return Promise.resolve('appended');
    },
    unread(id, limit = Number.POSITIVE_INFINITY) {
      const pushed = living(id)?.pushed;
      const chunks: Uint8Array[] = [];
      let last = 0;
      for (const { mark, bytes } of pushed?.chunks.values() ?? []) {
        if (bytes === null) continue;
        if (chunks.length >= limit) break;
        chunks.push(Uint8Array.from(bytes));
        last = mark;
      }
      return Promise.resolve({ chunks, mark: last });
    },
    remove(id) {
      entries.delete(id);
      return Promise.resolve();
    },
    close() {
      entries.clear();
      return Promise.resolve();
    },
  };
}
