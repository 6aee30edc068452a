/** Ends a call when its time is up or its caller gives up, whichever comes first. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** The promise's value; rejects once the call is ended, also where the promise ignores the signal. */
  within<T>(promise: Promise<T>): Promise<T>;
  /** What ended it, or null while it runs. */
  endedBy(): 'call_timeout' | 'aborted' | null;
  /** Cancels the timer. */
  end(): void;
}

/** A timer set beyond this would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export function startDeadline(ms: number, caller: AbortSignal | undefined): CallDeadline {
  const controller = new AbortController();
  let endedBy: 'call_timeout' | 'aborted' | null = null;
  const cut = (by: 'call_timeout' | 'aborted'): void => {
    endedBy ??= by;
    controller.abort();
  };
  const timer = setTimeout(() => cut('call_timeout'), Math.min(Math.max(0, ms), longestTimerMs));
  const leave = (): void => cut('aborted');
  if (caller?.aborted === true) leave();
  else caller?.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    within: promise => Promise.race([promise, ended(controller.signal)]),
    endedBy: () => endedBy,
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', leave);
    },
  };
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
