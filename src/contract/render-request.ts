import { datetimeToWire } from './datetime-wire.ts';
import type { AttributionRequest, EpochNanos } from './vocabulary.ts';

/** The body of a request: compact JSON in which members that are null are left out. Read back, it is the same request. */
export function renderRequest(request: AttributionRequest): string {
  const { scope, failureContext, workloadContext } = request;
  return JSON.stringify({
    schema_version: request.schemaVersion,
    workload_id: request.workloadId,
    scope: {
      nodes: scope.nodes,
      ranks: scope.ranks,
      start_time: timeToWire(scope.startTime),
      end_time: timeToWire(scope.endTime),
    },
    failure_context: {
      detected_at: datetimeToWire(failureContext.detectedAt),
      detection_signal: failureContext.detectionSignal,
    },
    timeout_ms: request.timeoutMs,
    workload_context: {
      workflow_id: workloadContext.workflowId,
      attempt_index: workloadContext.attemptIndex,
      job_end_time: timeToWire(workloadContext.jobEndTime),
    },
    phase: request.phase,
    continue_session: request.continueSession ?? undefined,
    user_id: request.userId === '' ? undefined : request.userId,
  });
}

function timeToWire(time: EpochNanos | null): string | undefined {
  return time === null ? undefined : datetimeToWire(time);
}
