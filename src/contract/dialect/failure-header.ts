import { datetimeFromWire, datetimeToWire } from '../datetime-wire.ts';
import { isPlain, member, text } from '../plain.ts';
import type { EpochNanos } from '../vocabulary.ts';

/** Names of the headers that one adapter sends to another; other servers ignore them. */
export const instanceHeader = 'x-attribution-instance';
export const failureHeader = 'x-attribution-failure';

/** What the dialect has no member for, and another adapter can use. */
export interface FailureDetails {
  readonly workflowId: string;
  readonly detectedAt: EpochNanos;
  readonly detectionSignal: string;
  readonly jobEndTime: EpochNanos | null;
  readonly startTime: EpochNanos | null;
  readonly endTime: EpochNanos | null;
}

/** ASCII, whatever the texts hold. */
export function writeFailureHeader(details: FailureDetails): string {
  return encodeURIComponent(
    JSON.stringify({
      workflow_id: details.workflowId,
      detected_at: datetimeToWire(details.detectedAt),
      detection_signal: details.detectionSignal,
      job_end_time: timeToWire(details.jobEndTime),
      start_time: timeToWire(details.startTime),
      end_time: timeToWire(details.endTime),
    }),
  );
}

/** Null where the header is absent or no such thing. */
export function readFailureHeader(header: string | null): FailureDetails | null {
  const fields = header === null ? null : parse(header);
  if (!isPlain(fields)) return null;
  const workflowId = text(member(fields, 'workflow_id'));
  const detectedAt = datetimeFromWire(text(member(fields, 'detected_at')) ?? '');
  const detectionSignal = text(member(fields, 'detection_signal'));
  const time = (name: string): EpochNanos | null => datetimeFromWire(text(member(fields, name)) ?? '');
  if (workflowId === null || workflowId === '' || workflowId.length > 256) return null;
  if (detectedAt === null || detectionSignal === null) return null;
  return {
    workflowId,
    detectedAt,
    detectionSignal,
    jobEndTime: time('job_end_time'),
    startTime: time('start_time'),
    endTime: time('end_time'),
  };
}

function timeToWire(time: EpochNanos | null): string | null {
  return time === null ? null : datetimeToWire(time);
}

function parse(header: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(header));
  } catch {
    return null;
  }
}
