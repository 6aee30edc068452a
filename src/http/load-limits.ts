/** How much may be asked at once. */
export interface LoadSettings {
  /** Requests for an attribution that are in the house, waiting ones included. */
  readonly mostRequests: number;
  /** Of these, the most of one caller, where callers are known; 0: as many as of all. */
  readonly mostPerCaller: number;
}

/** Counts what is in the house. */
export interface LoadLimits {
  /** Takes a place for a caller and returns the way to give it back; null where there is none. */
  enter(caller: string | null): (() => void) | null;
}

export function loadLimits({ mostRequests, mostPerCaller }: LoadSettings): LoadLimits {
  let inside = 0;
  const byCaller = new Map<string, number>();
  return {
    enter(caller) {
      const own = caller === null ? 0 : (byCaller.get(caller) ?? 0);
      if (inside >= mostRequests || (mostPerCaller > 0 && own >= mostPerCaller)) return null;
      inside += 1;
      if (caller !== null) byCaller.set(caller, own + 1);
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        inside -= 1;
        if (caller === null) return;
        const left = (byCaller.get(caller) ?? 1) - 1;
        if (left === 0) byCaller.delete(caller);
        else byCaller.set(caller, left);
      };
    },
  };
}
