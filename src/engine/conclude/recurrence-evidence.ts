import type { HistoryRow } from '../../core/history.ts';
import type { Evidence, Finding } from '../../core/outcome.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { accusing } from './judgement.ts';
import { recurrenceName, witnesses } from './recurrence.ts';

/** Citations a symptom: as many as the judgement needs, and one more. */
const cited = 3;

/** Findings with what earlier episodes showed on the device, where that is why the node is named. */
export function withRecurrence(
  findings: readonly Finding[],
  symptoms: readonly Symptom[],
  context: ReasoningContext,
): readonly Finding[] {
  const lifted = accusing(symptoms).filter(({ reason }) => reason?.pass === recurrenceName);
  if (lifted.length === 0) return findings;
  return findings.map(finding => {
    const { target } = finding;
    const own = target.type === 'Node' ? lifted.filter(({ node }) => node === target.node) : [];
    const past = own.flatMap(symptom =>
      witnesses(symptom, context)
        .slice(0, cited)
        .map(row => citation(row)),
    );
    if (past.length === 0) return finding;
    const room = Math.max(1, context.settings.maxEvidence - past.length);
    return { ...finding, evidence: [...finding.evidence.slice(0, room), ...past] };
  });
}

/** Names the job's number, not its owner nor its workflow. */
function citation({ at, node, uuid, pci, title, workloadId }: HistoryRow): Evidence {
  const device = uuid ?? pci ?? '';
  return {
    kind: 'history',
    source: 'history',
    observedAt: at,
    node,
    message: `${title} on the same device (${device}) when job ${workloadId} failed, of another workflow`,
    reference: { kind: 'query', query: `history node=${node} device=${device}`, stamp: String(at) },
  };
}
