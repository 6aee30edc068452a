import { hours } from '../asked.ts';
import type { FamilyNodes } from './family.ts';
import { representatives, samplesByNode } from './family.ts';
import { selectorOf } from './queries.ts';
import type { Reading } from './reading.ts';

/** Nodes that had samples before the window, looked for only where some have none in it. */
export async function nodesBefore(
  { api, settings, window, signal, nodes, nodeOf }: Reading,
  families: readonly FamilyNodes[],
): Promise<ReadonlySet<string>> {
  const seen = new Set(families.flatMap(found => [...samplesByNode(found).keys()]));
  const before = { from: window.from - hours(settings.knownHours), to: window.from };
  if (before.from === before.to || nodes.every(node => seen.has(node))) return new Set();
  const questions = families.flatMap(({ family, label }) => {
    const [metric] = representatives(family, 1);
    if (metric === undefined) return [];
    const labels = label === null ? settings.nodeLabels : [label];
    return labels.map(name => api.values(name, selectorOf(metric, settings.matchers), before, signal));
  });
  const answers = await Promise.all(questions);
  return new Set(answers.flatMap(told => (told.ok ? told.value.value.flatMap(raw => nodeOf(raw) ?? []) : [])));
}
