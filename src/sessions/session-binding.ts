import type { SessionBinding } from '../core/session.ts';

/** Sessions end 30 days after they were opened. */
export const lifetimeNanos = 30n * 24n * 3600n * 1_000_000_000n;

export function sameBinding(a: SessionBinding, b: SessionBinding): boolean {
  return (
    a.workloadId === b.workloadId &&
    a.workflowId === b.workflowId &&
    a.attemptIndex === b.attemptIndex &&
    a.caller === b.caller
  );
}
