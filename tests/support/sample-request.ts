import type { AttributionRequest } from '../../src/contract/index.ts';

const detectedAt = 1_788_955_200_000_000_000n;

/** The contract's example request, parsed. */
export function sampleRequest(change: Partial<AttributionRequest> = {}): AttributionRequest {
  return {
    schemaVersion: '0.1.0',
    workloadId: '12345',
    scope: { nodes: ['worker-01'], ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt, detectionSignal: 'application_error' },
    timeoutMs: 10_000,
    workloadContext: { workflowId: 'training-example', attemptIndex: 0, jobEndTime: null },
    phase: 'fast',
    continueSession: null,
    userId: '',
    ...change,
  };
}

const minute = 60_000_000_000n;

/** A slow request with an epilog window of five minutes. */
export function sampleSlowRequest(change: Partial<AttributionRequest> = {}): AttributionRequest {
  const scope = {
    nodes: ['worker-01'],
    ranks: [],
    startTime: detectedAt + minute,
    endTime: detectedAt + 6n * minute,
  };
  return sampleRequest({ phase: 'slow', scope, ...change });
}
