import type { Clock } from '../../core/ports.ts';
import { type AllowanceLimits, openAllowance, type Unheard } from './allowance.ts';
import type { FromThread } from './thread-messages.ts';

type Say = (message: FromThread) => void;
type Of<Kind extends FromThread['kind']> = Extract<FromThread, { readonly kind: Kind }>;

/** What a module may cause to be sent in any number, held to what the other side can take. */
export interface BoundedSenders {
  /** Lines beyond the allowance are dropped, and counted for the log. */
  log(message: Of<'log'>): void;
  /** Of a call only the latest is kept until it can be sent. */
  report(message: Of<'report'>): void;
  /** The call is over: what it reported has no reader. */
  forget(call: number): void;
  /** What is malformed is dropped in any case: beyond the allowance nobody is told. */
  malformedReport(message: Of<'malformed_report'>): void;
  /** Beyond the allowance nobody is told. */
  stray(message: Of<'stray'>): void;
}

const limits = {
  log: { unheard: 256, burst: 256, perSecond: 100 },
  report: { unheard: 16, burst: 16, perSecond: 20 },
  stray: { unheard: 64, burst: 64, perSecond: 50 },
} as const satisfies Readonly<Record<string, AllowanceLimits>>;

const againMs = 100;

export function boundedSenders(say: Say, unheard: Unheard, clock: Clock): BoundedSenders {
  const lines = openAllowance(unheard, 'log', limits.log, clock);
  const reports = openAllowance(unheard, 'report', limits.report, clock);
  const strays = openAllowance(unheard, 'stray', limits.stray, clock);
  const latest = new Map<number, Of<'report'>>();
  let dropped = 0;
  let isPlanned = false;

  function tellDropped(): void {
    if (dropped === 0 || !lines.take()) return;
    say({ kind: 'dropped', lines: dropped });
    dropped = 0;
  }

  function sendLatest(): void {
    for (const [call, report] of latest) {
      if (!reports.take()) return;
      latest.delete(call);
      say(report);
    }
  }

  /** For a thread that yields; one that does not asks again with its next message. */
  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    clock.after(againMs, () => {
      isPlanned = false;
      tellDropped();
      sendLatest();
      if (dropped > 0 || latest.size > 0) plan();
    });
  }

  return {
    log(message) {
      tellDropped();
      if (lines.take()) return say(message);
      dropped += 1;
      plan();
    },
    report(message) {
      latest.set(message.call, message);
      sendLatest();
      if (latest.size > 0) plan();
    },
    forget(call) {
      latest.delete(call);
    },
    malformedReport(message) {
      if (reports.take()) say(message);
    },
    stray(message) {
      if (strays.take()) say(message);
    },
  };
}
