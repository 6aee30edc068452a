import type { RemoteAnswer, RemoteEvidence, RemoteFinding } from '../../contract/dialect/index.ts';
import { errorCategories } from '../../contract/index.ts';
import { type Evidence, evidenceKinds, type Finding } from '../../core/outcome.ts';
import type { Target } from '../../core/target.ts';
import { referenceFromWire } from '../wire-reference.ts';

const mostDetail = 4096;
const mostEvidence = 50;

/** The service's answer as findings, one a target and category. What has no place of its own becomes evidence. */
export function remoteFindings(answer: RemoteAnswer): readonly Finding[] {
  return answer.attributions.flatMap(({ node, findings }) => {
    const target: Target = node === null ? { type: 'AllJobResources' } : { type: 'Node', node };
    const byCategory = Map.groupBy(findings, categoryOf);
    return [...byCategory].map(([category, found]) => ({
      target,
      category,
      observedAt: found
        .map(({ observedAt }) => observedAt)
        .filter(time => time !== null)
        .reduce<bigint | null>((least, time) => (least === null || time < least ? time : least), null),
      evidence: evidenceOf(found, node),
      confidence: found.find(({ confidence }) => confidence !== null)?.confidence ?? null,
    }));
  });
}

function categoryOf({ category }: RemoteFinding) {
  return errorCategories.find(word => word === category) ?? 'unknown';
}

function evidenceOf(found: readonly RemoteFinding[], node: string | null): readonly Evidence[] {
  const cited = found.flatMap(finding => [
    ...finding.evidence.map(item => citation(item)),
    ...details(finding).map(text => note(text, node)),
  ]);
  if (cited.length === 0) return [note('the FACT service names this and gives no evidence', node)];
  return cited.slice(0, mostEvidence);
}

function citation(item: RemoteEvidence): Evidence {
  return {
    kind: evidenceKinds.find(kind => kind === item.kind) ?? 'note',
    source: item.source ?? 'fact',
    observedAt: item.observedAt,
    node: item.node,
    message: item.message.slice(0, mostDetail),
    reference: item.reference === null ? null : referenceFromWire(item.reference),
  };
}

function details({ category, rest }: RemoteFinding): readonly string[] {
  const foreign = category !== null && !(errorCategories as readonly string[]).includes(category);
  const said = foreign ? { error_category: category, ...rest } : rest;
  return Object.keys(said).length === 0
    ? []
    : [`the FACT service says: ${JSON.stringify(said).slice(0, mostDetail)}`];
}

function note(message: string, node: string | null): Evidence {
  return { kind: 'note', source: 'fact', observedAt: null, node, message, reference: null };
}
