import type { NodeIdentity } from '../../core/ports.ts';
import type { Symptom } from '../../core/symptom.ts';

/**
 * The nodes that evidence itself speaks of, for a job whose nodes neither request nor scheduler tells: the owners of
 * node-local logs, and hosts in the job's own prefixes. Short and full spellings of one host are one node.
 */
export function nodesOfEvidence(symptoms: readonly Symptom[]): readonly NodeIdentity[] {
  const byShortName = new Map<string, Set<string>>();
  for (const { node } of symptoms) {
    if (node === null) continue;
    const short = node.split('.', 1)[0] ?? node;
    byShortName.set(short, (byShortName.get(short) ?? new Set<string>()).add(node));
  }
  return [...byShortName.values()]
    .map(spellings => {
      const [name = '', ...aliases] = [...spellings].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
      return { name, aliases };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
