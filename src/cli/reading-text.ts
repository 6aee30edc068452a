import type { SourceCoverage } from '../contract/index.ts';
import type { Symptom } from '../core/symptom.ts';
import { compressHostList } from '../lines/host-list.ts';
import type { Style } from './terminal.ts';

/** What was looked at, a line a source and origin: never "healthy", always what was proved. */
export function coverageText(coverage: readonly SourceCoverage[], style: Style): string {
  return coverage
    .map(entry => {
      const groups = entry.groups.map(group => {
        const nodes = group.nodes === '' ? '' : ` ${group.count} (${group.nodes})`;
        return `${group.status}${nodes}${group.reason === null ? '' : `: ${group.reason}`}`;
      });
      const ahead = entry.notYet === null ? [] : ['part of the window lies ahead'];
      const said = [...groups, ...ahead, ...entry.remarks].join('; ');
      return `  seen  ${entry.source} ${entry.origin}  ${said}  ${style.faint(`${entry.lines} lines`)}\n`;
    })
    .join('');
}

const mostConsequences = 8;

/** What was taken for a consequence, folded by what it was and why. */
export function consequencesText(symptoms: readonly Symptom[]): string {
  const folded = new Map<
    string,
    { count: number; nodes: Set<string>; title: string; why: string; role: string }
  >();
  for (const symptom of symptoms) {
    if (symptom.role !== 'cascade' && symptom.role !== 'teardown') continue;
    const key = `${symptom.rule}\n${symptom.code ?? ''}\n${symptom.role}`;
    const entry = folded.get(key) ?? {
      count: 0,
      nodes: new Set<string>(),
      title: symptom.title,
      why: symptom.reason?.text ?? '',
      role: symptom.role,
    };
    entry.count += symptom.count;
    if (symptom.node !== null) entry.nodes.add(symptom.node);
    folded.set(key, entry);
  }
  const entries = [...folded.values()].sort((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1));
  const shown = entries.slice(0, mostConsequences).map(({ count, nodes, title, why, role }) => {
    const where = nodes.size === 0 ? '' : ` on ${compressHostList([...nodes])}`;
    return `  not   ${title}${where}, seen ${count} times: ${role}; ${why}\n`;
  });
  const more = entries.length - shown.length;
  return shown.join('') + (more > 0 ? `  not   ${more} more kinds of consequence\n` : '');
}
