import type { AttributionRequest, EpochNanos, Phase } from '../src/contract/vocabulary.ts';
import { schemaVersion } from '../src/contract/vocabulary.ts';

/** A Date, or nanoseconds since the Unix epoch, UTC. */
export type Time = Date | EpochNanos;

/** What is known about a failed workload; what is left out is not known. */
export interface Failure {
  /** Job id at the scheduler. */
  readonly workloadId: string;
  /** Shared by all attempts of one training run. */
  readonly workflowId: string;
  /** Which attempt of the run failed, from 0. */
  readonly attemptIndex: number;
  readonly detectedAt: Time;
  /** How it was noticed: `crash`, `hang`, `straggler`, or any other word. */
  readonly detectionSignal: string;
  /** Milliseconds the adapter may take. */
  readonly timeoutMs: number;
  /** `fast` unless told otherwise. */
  readonly phase?: Phase;
  readonly nodes?: readonly string[];
  readonly ranks?: readonly number[];
  /** Start of the job; of the epilog window where the phase is `slow`. */
  readonly startTime?: Time | null;
  /** End of the job; of the epilog window where the phase is `slow`. */
  readonly endTime?: Time | null;
  readonly jobEndTime?: Time | null;
  /** `attributionSessionId` of the fast result, where the phase is `slow`. */
  readonly continueSession?: string | null;
  readonly userId?: string;
}

/** A request of the contract about a failure. */
export function failureRequest(failure: Failure): AttributionRequest {
  return {
    schemaVersion,
    workloadId: failure.workloadId,
    scope: {
      nodes: failure.nodes ?? [],
      ranks: failure.ranks ?? [],
      startTime: nanosOrNull(failure.startTime),
      endTime: nanosOrNull(failure.endTime),
    },
    failureContext: { detectedAt: nanos(failure.detectedAt), detectionSignal: failure.detectionSignal },
    timeoutMs: failure.timeoutMs,
    workloadContext: {
      workflowId: failure.workflowId,
      attemptIndex: failure.attemptIndex,
      jobEndTime: nanosOrNull(failure.jobEndTime),
    },
    phase: failure.phase ?? 'fast',
    continueSession: failure.continueSession ?? null,
    userId: failure.userId ?? '',
  };
}

function nanosOrNull(time: Time | null | undefined): EpochNanos | null {
  return time === null || time === undefined ? null : nanos(time);
}

function nanos(time: Time): EpochNanos {
  return time instanceof Date ? BigInt(time.getTime()) * 1_000_000n : time;
}
