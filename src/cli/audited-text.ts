import type { ExplainedKind, ReadAudited } from '../contract/index.ts';
import { compressHostList } from '../lines/host-list.ts';
import { coverageText } from './reading-text.ts';
import type { Style } from './terminal.ts';
import { verdictText } from './verdict-text.ts';

const mostKinds = 16;

/** A kept answer for people: who asked when, the verdict, what was taken for what, what was read, and the hashes. */
export function auditedText(audited: ReadAudited, style: Style, folder: string): string {
  const about = new Map(audited.about);
  const told = (name: string): string => about.get(name) ?? '';
  const head =
    `ANSWER  ${told('request_id')}  ${told('answered_at')}  ${told('phase')}  job ${told('workload_id')}, ` +
    `workflow ${told('workflow_id')}, attempt ${told('attempt_index')}\n`;
  const kept = ['service_version', 'provider', ...[...about.keys()].filter(name => name.endsWith('_sha256'))];
  const shown = audited.explained.slice(0, mostKinds);
  const more = audited.explained.length - shown.length;
  return [
    style.strong(head),
    audited.shadow
      ? '  note  in shadow mode: the caller got an empty answer, this is what it would have been\n'
      : '',
    verdictText(audited.answer, style, folder),
    ...shown.map(kindText),
    more > 0 ? `  also  ${more} more kinds of symptom\n` : '',
    coverageText(
      audited.coverage.map(entry => ({ ...entry, notYet: entry.not_yet })),
      style,
    ),
    ...kept.filter(name => about.has(name)).map(name => `  from  ${name} ${told(name)}\n`),
  ].join('');
}

function kindText(kind: ExplainedKind): string {
  const { title, code, role, nodes, nodeCount, count, reason } = kind;
  const named = nodes.length > 0 ? ` on ${compressHostList(nodes)}` : '';
  const others = nodeCount > nodes.length ? ` and ${nodeCount - nodes.length} more` : '';
  const times = count === 1 ? 'once' : `${count} times`;
  const taken = kind.kind === 'victim' && role === 'unknown' ? 'suffered' : role;
  const why = reason === null ? '' : `; ${reason}`;
  return `  saw   ${title}${code === null ? '' : ` (${code})`}${named}${others}, ${times}: ${taken}${why}\n`;
}
