import type { Clock } from '../core/ports.ts';

/** Bytes that were acknowledged or are about to be, and not yet taken in. */
export interface Backlog {
  add(id: string, bytes: number): void;
  taken(id: string, bytes: number): void;
  /** Resolves once there is room, or nobody makes any, or the patience ends. */
  room(id: string): Promise<void>;
  /** Lets everybody on who waits: nothing is being taken in any more. */
  release(id: string): void;
}

/** A client repeats itself after half a minute; it is answered long before. */
const patienceMs = 10_000;

export function createBacklog(clock: Clock, mostBytes: number): Backlog {
  const unread = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const isFull = (id: string): boolean => (unread.get(id) ?? 0) > mostBytes;
  function release(id: string): void {
    for (const go of waiting.get(id) ?? []) go();
    waiting.delete(id);
  }

  return {
    release,
    add(id, bytes) {
      unread.set(id, (unread.get(id) ?? 0) + bytes);
    },
    taken(id, bytes) {
      const left = (unread.get(id) ?? 0) - bytes;
      if (left > 0) unread.set(id, left);
      else unread.delete(id);
      if (!isFull(id)) release(id);
    },
    async room(id) {
      if (!isFull(id)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const others = waiting.get(id) ?? new Set();
      waiting.set(id, others.add(resolve));
      const cancel = clock.after(patienceMs, resolve);
      await promise;
      cancel();
      others.delete(resolve);
    },
  };
}
