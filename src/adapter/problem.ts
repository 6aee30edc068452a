import type { AttributionRequest, ErrorType } from '../contract/index.ts';
import type { Outcome, Problem } from '../core/outcome.ts';

/** The graver problem of an answer hides the others. */
const byGravity: readonly ErrorType[] = [
  'service_error',
  'no_attribution_available',
  'timeout',
  'insufficient_telemetry',
];

export function graver(a: Problem | null, b: Problem | null): Problem | null {
  if (a === null || b === null) return a ?? b;
  return byGravity.indexOf(a.type) <= byGravity.indexOf(b.type) ? a : b;
}

/** An answer that knows nothing, and why. */
export function emptyOutcome(problem: Problem): Outcome {
  return { findings: [], unattributed: [], coverage: [], problem };
}

export const deadlineSpent: Problem = {
  type: 'timeout',
  message: 'the deadline was spent before the reading of evidence was done',
};

export const pushedForgotten: Problem = {
  type: 'insufficient_telemetry',
  message:
    'what was pushed did not fit into its session and was not kept: nobody can be named; push to a new attributor what matters, or raise sessions.bytes',
};

export const noTimeGiven: Problem = {
  type: 'timeout',
  message: 'timeout_ms leaves no time to look at anything',
};

export const noEpilogWindow: Problem = {
  type: 'no_attribution_available',
  message: 'a slow request needs scope.start_time before scope.end_time: the epilog window',
};

/** The cause stays in the log: a provider's words may hold secrets or excerpts. */
export function providerFailed(requestId: string): Problem {
  return {
    type: 'service_error',
    message: `the provider failed; the service's log tells why under request ${requestId}`,
  };
}

/** Whether a slow request names a window one could look into. */
export function hasEpilogWindow({ scope }: AttributionRequest): boolean {
  return scope.startTime !== null && scope.endTime !== null && scope.startTime < scope.endTime;
}
