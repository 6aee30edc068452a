import type { Origin } from '../../core/batch.ts';
import type { CollectPlan } from '../../core/ports.ts';
import { minute, type Nanos } from '../../core/time.ts';
import { askedWindow } from '../coverage.ts';
import type { SchedulerFacts } from './reading.ts';

/** Where a log must have lines to prove anything of the failure, and what to say of one that has none; null: no bound. */
export interface JudgedSpan {
  readonly from: Nanos | null;
  readonly to: Nanos | null;
  readonly before: string;
  readonly after: string;
}

/** A cause surfaces within this time; the same as a fast request looks back. */
const lookBack = 15n * minute;
/** Clocks differ, and last words are written late. */
const lookAhead = 2n * minute;

/**
 * The window that was asked for; where everything is read, the end of the job as far as it is known, since a log that
 * ended hours before says nothing of how the job failed. What a health check says after the job is about the job.
 */
export function judgedSpan(origin: Origin, plan: CollectPlan, scheduler: SchedulerFacts): JudgedSpan {
  const window = askedWindow(plan, origin);
  if (window !== null || !plan.everything) {
    return {
      from: window?.from ?? null,
      to: window?.to ?? null,
      before: 'its last line is from before the window',
      after: 'its first line is from after the window',
    };
  }
  const { scope, workloadContext } = plan.request;
  const start = scope.startTime ?? scheduler.jobStart;
  const end = scope.endTime ?? workloadContext.jobEndTime ?? scheduler.jobEnd ?? scheduler.jobLastStamp;
  const lately = end === null ? null : end - lookBack;
  const ofJob = start !== null && (lately === null || lately < start);
  return {
    from: ofJob ? start : lately,
    to: end === null || origin === 'health' ? null : end + lookAhead,
    before: ofJob
      ? 'its last line is from before the job began'
      : 'its last line is from more than 15 minutes before the failure',
    after: 'its first line is from after the failure',
  };
}
