/** Work that several callers wait for together. */
export interface InFlight<T> {
  /**
   * Starts the work, or joins what already runs under the same key. The signal given to the work aborts once everybody
   * who waits for it has hung up.
   */
  join(
    key: string,
    hungUp: AbortSignal | undefined,
    start: (abandoned: AbortSignal) => Promise<T>,
  ): { readonly isFirst: boolean; readonly result: Promise<T> };
}

interface Shared<T> {
  readonly abandoned: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}

export function inFlight<T>(): InFlight<T> {
  const running = new Map<string, Shared<T>>();

  function begin(key: string, start: (abandoned: AbortSignal) => Promise<T>): Shared<T> {
    const abandoned = new AbortController();
    const shared: Shared<T> = { abandoned, result: start(abandoned.signal), waiting: 0 };
    running.set(key, shared);
    const end = (): void => {
      if (running.get(key) === shared) running.delete(key);
    };
    shared.result.then(end, end);
    return shared;
  }

  function wait(shared: Shared<T>, hungUp: AbortSignal | undefined): void {
    shared.waiting += 1;
    if (hungUp === undefined) return;
    const leave = (): void => {
      shared.waiting -= 1;
      if (shared.waiting === 0) shared.abandoned.abort();
    };
    if (hungUp.aborted) {
      leave();
      return;
    }
    hungUp.addEventListener('abort', leave, { once: true });
    const stop = (): void => hungUp.removeEventListener('abort', leave);
    shared.result.then(stop, stop);
  }

  return {
    join(key, hungUp, start) {
      const known = running.get(key);
      // Nobody waits for abandoned work any more: it is being cut short.
      const isFirst = known === undefined || known.abandoned.signal.aborted;
      const shared = isFirst ? begin(key, start) : known;
      wait(shared, hungUp);
      return { isFirst, result: shared.result };
    },
  };
}
