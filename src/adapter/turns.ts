/** So many at once; the others wait in the order they came. */
export interface Turns {
  /** Resolves to the way to give the turn back, which may be called twice; rejects with the signal's reason if that comes first. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function turns(most: number): Turns {
  let taken = 0;
  const waiting = new Set<() => void>();

  function begin(): () => void {
    taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken -= 1;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (taken < most && waiting.size === 0) return begin();
      return new Promise<() => void>((resolve, reject) => {
        const start = (): void => {
          waiting.delete(start);
          signal.removeEventListener('abort', giveUp);
          resolve(begin());
        };
        const giveUp = (): void => {
          waiting.delete(start);
          reject(signal.reason);
        };
        waiting.add(start);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
