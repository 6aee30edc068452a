/** How much may be asked at once. */
export interface LoadSettings {
  /** Requests for an attribution that are in the house, waiting ones included. */
  readonly mostRequests: number;
  /** Of these, the most of one caller, where callers are known; 0: as many as of all. */
  readonly mostPerCaller: number;
  /** Bytes that their bodies have together; one alone may have more. */
  readonly mostBytes: number;
}

/** Counts what is in the house. */
export interface LoadLimits {
  /** Takes a place for a caller, whose body has so many bytes, and returns the way to give it back; null where there is none. */
  enter(caller: string | null, bytes: number): (() => void) | null;
  /** Seconds after which somebody who was refused just now may find a place, at the pace of late. */
  retryAfterSeconds(): number;
}

/** What is told is never sooner, and never later: a service that stands still may go on at any moment. */
const retrySeconds = { least: 1, most: 60 };
/** Each departure moves the pace by this share. */
const paceShare = 0.2;

export function loadLimits(
  { mostRequests, mostPerCaller, mostBytes }: LoadSettings,
  elapsedMs: () => number = () => performance.now(),
): LoadLimits {
  const byCaller = new Map<string, number>();
  let [inside, bytesInside] = [0, 0];
  let [gapMs, lastLeftMs, refusedSince] = [0, elapsedMs(), 0];

  function left(): void {
    const now = elapsedMs();
    gapMs += (now - lastLeftMs - gapMs) * paceShare;
    lastLeftMs = now;
    refusedSince = Math.max(0, refusedSince - 1);
  }

  return {
    enter(caller, bytes) {
      const own = caller === null ? 0 : (byCaller.get(caller) ?? 0);
      const isFull = inside >= mostRequests || (inside > 0 && bytesInside + bytes > mostBytes);
      if (isFull || (mostPerCaller > 0 && own >= mostPerCaller)) {
        refusedSince += 1;
        return null;
      }
      // What was idle until now tells nothing of the pace.
      if (inside === 0) [lastLeftMs, refusedSince] = [elapsedMs(), 0];
      inside += 1;
      bytesInside += bytes;
      if (caller !== null) byCaller.set(caller, own + 1);
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        inside -= 1;
        bytesInside -= bytes;
        left();
        if (caller === null) return;
        const others = (byCaller.get(caller) ?? 1) - 1;
        if (others === 0) byCaller.delete(caller);
        else byCaller.set(caller, others);
      };
    },
    retryAfterSeconds() {
      const pace = Math.max(gapMs, elapsedMs() - lastLeftMs);
      const seconds = Math.ceil((pace * Math.max(1, refusedSince)) / 1000);
      return Math.min(retrySeconds.most, Math.max(retrySeconds.least, seconds));
    },
  };
}
