/** The contract's example request, as it is sent. */
export const exampleRequest = {
  schema_version: '0.1.0',
  workload_id: '12345',
  scope: { nodes: ['worker-01'], ranks: [] },
  failure_context: { detected_at: '2026-09-09T12:00:00Z', detection_signal: 'application_error' },
  timeout_ms: 10_000,
  workload_context: { workflow_id: 'training-example', attempt_index: 0 },
  phase: 'fast',
} as const;

export const exampleBody = JSON.stringify(exampleRequest);
