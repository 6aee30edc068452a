import type { AttributionRequest } from '../contract/index.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Target } from '../core/target.ts';
import { type NodeDirectory, nodeDirectory } from '../lines/node-names.ts';

export interface ScopedOutcome {
  readonly outcome: Outcome;
  /** Names of targets that are no node of the job, or could be several; they are left out. */
  readonly leftOut: readonly string[];
}

/**
 * An outcome from elsewhere as this request may have it: nodes are spelled as in `scope.nodes`, and no other node is
 * named. An empty scope leaves every name as it is.
 */
export function scopedOutcome(outcome: Outcome, request: AttributionRequest): ScopedOutcome {
  const { nodes } = request.scope;
  if (nodes.length === 0) return { outcome, leftOut: [] };
  let laidOut: NodeDirectory | undefined;
  const directory = (): NodeDirectory => {
    laidOut ??= nodeDirectory(nodes.map(name => ({ name, aliases: [] })));
    return laidOut;
  };
  const names = new Set(nodes);
  const leftOut = new Set<string>();
  const place = (target: Target): Target | null => {
    if (target.type !== 'Node') return target;
    if (names.has(target.node)) return target;
    const match = directory().resolve(target.node);
    if (match.kind === 'one') return { type: 'Node', node: match.node };
    leftOut.add(target.node);
    return null;
  };
  const findings = outcome.findings.flatMap(finding => {
    const target = place(finding.target);
    if (target === finding.target) return [finding];
    return target === null ? [] : [{ ...finding, target }];
  });
  const unattributed = outcome.unattributed.map(place).filter(target => target !== null);
  return { outcome: { ...outcome, findings, unattributed }, leftOut: [...leftOut] };
}
