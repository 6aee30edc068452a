import type { SessionBinding } from '../core/session.ts';

export function sameBinding(a: SessionBinding, b: SessionBinding): boolean {
  return (
    a.workloadId === b.workloadId &&
    a.workflowId === b.workflowId &&
    a.attemptIndex === b.attemptIndex &&
    a.caller === b.caller
  );
}
