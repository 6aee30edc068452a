import type { Clock } from '../../core/ports.ts';

/** What a module's thread may send of one kind; beyond it messages would gather at the other side without bound. */
export interface AllowanceLimits {
  /** So many may be on their way, not yet heard by the other side. */
  readonly unheard: number;
  /** So many at once, after a while without any. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Asked before each message, on the module's side: a thread that never yields is held too. */
export interface Allowance {
  /** Whether one more may be sent; it then has to be. */
  take(): boolean;
}

/** Messages on their way by kind, counted by the thread and uncounted by whoever hears them. */
export type Unheard = Int32Array<SharedArrayBuffer>;

export const limitedKinds = ['log', 'report', 'stray'] as const;
export type LimitedKind = (typeof limitedKinds)[number];

export function nothingUnheard(): Unheard {
  return new Int32Array(new SharedArrayBuffer(limitedKinds.length * Int32Array.BYTES_PER_ELEMENT));
}

export function openAllowance(
  unheard: Unheard,
  kind: LimitedKind,
  limits: AllowanceLimits,
  clock: Pick<Clock, 'elapsedMs'>,
): Allowance {
  const at = limitedKinds.indexOf(kind);
  let left = limits.burst;
  let countedMs = clock.elapsedMs();
  return {
    take() {
      const nowMs = clock.elapsedMs();
      left = Math.min(limits.burst, left + ((nowMs - countedMs) * limits.perSecond) / 1_000);
      countedMs = nowMs;
      if (left < 1 || Atomics.load(unheard, at) >= limits.unheard) return false;
      left -= 1;
      Atomics.add(unheard, at, 1);
      return true;
    },
  };
}

export function markHeard(unheard: Unheard, kind: LimitedKind): void {
  Atomics.sub(unheard, limitedKinds.indexOf(kind), 1);
}
