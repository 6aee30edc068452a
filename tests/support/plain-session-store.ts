import type { SessionStore } from '../../src/core/ports.ts';
import type { Session } from '../../src/core/session.ts';
import { sameBinding } from '../../src/sessions/session-binding.ts';

/** Sessions in a map, each call done within its turn: no compression in other threads, so a fake clock can order everything. */
export function plainSessionStore(): SessionStore {
  const sessions = new Map<string, Session>();
  return {
    async open(session) {
      sessions.set(session.id, session);
    },
    async get(id, binding) {
      const session = sessions.get(id);
      return session !== undefined && sameBinding(session.binding, binding) ? session : null;
    },
    async update(session) {
      const stored = sessions.get(session.id);
      if (stored === undefined) return 'unknown';
      if (stored.version !== session.version) return 'conflict';
      sessions.set(session.id, { ...session, version: session.version + 1 });
      return 'updated';
    },
    async append(id) {
      return sessions.has(id) ? 'repeated' : 'unknown';
    },
    async unread() {
      return { chunks: [], mark: 0 };
    },
    async remove(id) {
      sessions.delete(id);
    },
    async close() {},
  };
}
