import { readAuditedAnswer } from '../contract/index.ts';
import type { AuditEntry } from '../core/audit.ts';
import { expandHostList } from '../lines/host-list.ts';

/** More than any job has. */
const mostNodes = 200_000;

/** Nodes that these answers looked at or named; null where they do not tell them all. */
export function answeredNodes(entries: readonly Pick<AuditEntry, 'body'>[]): readonly string[] | null {
  const nodes = new Set<string>();
  for (const { body } of entries) {
    const audited = readAuditedAnswer(body);
    if (audited === null) return null;
    for (const { target } of audited.answer.attributions) if (target.type === 'Node') nodes.add(target.node);
    for (const list of new Set(audited.coverage.flatMap(({ groups }) => groups.map(group => group.nodes)))) {
      if (list === '') continue;
      const expanded = expandHostList(list, mostNodes);
      if (!expanded.ok) return null;
      for (const name of expanded.names) nodes.add(name);
    }
  }
  return nodes.size === 0 ? null : [...nodes];
}
