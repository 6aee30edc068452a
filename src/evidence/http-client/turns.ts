/** A limit on what runs at once: first come, first served. */
export interface Turns {
  /** Resolves to the way to hand the turn on, or to null where the signal aborted first. */
  take(signal: AbortSignal): Promise<(() => void) | null>;
}

export function createTurns(limit: number): Turns {
  let free = limit;
  const waiting = new Set<() => void>();

  const grant = (): (() => void) => {
    free -= 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      free += 1;
      const [next] = waiting;
      next?.();
    };
  };
  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve(null);
      if (free > 0) return Promise.resolve(grant());
      return new Promise(resolve => {
        const leave = (): void => {
          waiting.delete(go);
          resolve(null);
        };
        const go = (): void => {
          waiting.delete(go);
          signal.removeEventListener('abort', leave);
          resolve(grant());
        };
        waiting.add(go);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
