import type { SourceCoverage } from '../contract/index.ts';
import type { Symptom } from '../core/symptom.ts';
import { lateRanksName } from '../engine/conclude/late-ranks.ts';
import { compressHostList } from '../lines/host-list.ts';
import type { Style } from './terminal.ts';

type ShownCoverage = Pick<SourceCoverage, 'source' | 'origin' | 'groups' | 'lines' | 'remarks'> & {
  readonly notYet: object | null;
};

/** What was looked at, a line a source and origin: never "healthy", always what was proved. */
export function coverageText(coverage: readonly ShownCoverage[], style: Style): string {
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

/** For which ranks others waited, a line a group of ranks: it tells where to look and blames nobody. */
export function lateRanksText(symptoms: readonly Symptom[]): string {
  return symptoms
    .filter(({ reason }) => reason?.pass === lateRanksName)
    .map(({ reason }) => `  late  ${reason?.text ?? ''}\n`)
    .join('');
}

const mostConsequences = 8;

interface Consequence {
  count: number;
  readonly nodes: Set<string>;
  readonly ranks: Set<number>;
  readonly title: string;
  readonly taken: string;
}

/** What was taken for a consequence or for suffering, folded by what it was and why. */
export function consequencesText(symptoms: readonly Symptom[]): string {
  const folded = new Map<string, Consequence>();
  for (const symptom of symptoms) {
    const taken = takenFor(symptom);
    if (taken === null) continue;
    const key = `${symptom.rule}\n${symptom.code ?? ''}\n${symptom.role}`;
    const entry = folded.get(key) ?? {
      count: 0,
      nodes: new Set(),
      ranks: new Set(),
      title: symptom.title,
      taken,
    };
    entry.count += symptom.count;
    if (symptom.node !== null) entry.nodes.add(symptom.node);
    if (symptom.rank !== null) entry.ranks.add(symptom.rank);
    folded.set(key, entry);
  }
  const entries = [...folded.values()].sort((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1));
  const shown = entries
    .slice(0, mostConsequences)
    .map(entry => `  not   ${entry.title}${whereOf(entry)}, ${times(entry.count)}: ${entry.taken}\n`);
  const more = entries.length - shown.length;
  return shown.join('') + (more > 0 ? `  not   ${more} more kinds of consequence\n` : '');
}

function takenFor({ role, ruleRole, reason }: Symptom): string | null {
  if (role === 'cascade' || role === 'teardown') return `${role}; ${reason?.text ?? ''}`;
  return role === 'unknown' && ruleRole === 'victim' ? 'suffered, says nothing of who is at fault' : null;
}

function whereOf({ nodes, ranks }: Consequence): string {
  if (nodes.size > 0) return ` on ${compressHostList([...nodes])}`;
  return ranks.size > 0 ? ` of ${ranks.size === 1 ? 'one rank' : `${ranks.size} ranks`}` : '';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
