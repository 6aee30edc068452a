import type { WireChange, WireExplanation, WireSymptom } from '../contract/index.ts';
import { compressHostList } from '../lines/host-list.ts';
import type { Style } from './terminal.ts';

/** What a symptom may turn out to be, in the order told, each with the most kinds of it that are shown. */
const roles = [
  ['initiating', 16],
  ['unknown', 8],
  ['cascade', 8],
  ['teardown', 8],
  ['context', 8],
] as const;
const mostChanges = 8;
/** Roles of rules that are only counted: there are many, and they say nothing of a failure. */
const untold: ReadonlySet<string> = new Set(['noise', 'placement']);

/**
 * Why the answer is what it is, a line each: first what would have changed it, then what was seen, folded by what it
 * was taken for and why. Says how much it leaves out.
 */
export function explanationText({ symptoms, changes }: WireExplanation, style: Style): string {
  const kinds = kindsOf(symptoms);
  return [
    ...changesText(changes, symptoms),
    ...roles.flatMap(([role, most]) => {
      const ofRole = kinds.filter(({ example }) => example.role === role);
      return roleText(role, ofRole, most, style);
    }),
  ].join('');
}

function changesText(changes: WireExplanation['changes'], symptoms: readonly WireSymptom[]): string[] {
  if (changes === null) return ['  else  what would have changed the answer was not reckoned\n'];
  if (changes.length === 0) return ['  else  no symptom and no guard decides the answer alone\n'];
  const titles = new Map(symptoms.map(({ id, title }) => [id, title]));
  const alike = Map.groupBy(changes, ({ change, said, verdict }) => {
    const [id = ''] = change.kind === 'symptoms' && change.ids.length === 1 ? change.ids : [];
    return JSON.stringify([titles.get(id) ?? said, verdict]);
  });
  const lines = [...alike.values()].map(([first, ...others]) => {
    const more = others.length === 0 ? '' : ` (or any one of ${others.length} more like it)`;
    return first === undefined
      ? ''
      : `  else  ${oneLine(first.said)}${more}: ${verdictInWords(first.verdict)}\n`;
  });
  const left = lines.length - mostChanges;
  return [...lines.slice(0, mostChanges), ...(left > 0 ? [`  else  ${left} more changes${seeJson}\n`] : [])];
}

function verdictInWords({ targets, error }: WireChange['verdict']): string {
  const nodes = targets.flatMap(target => (target.type === 'Node' ? [target.node] : []));
  const named =
    nodes.length > 0 ? compressHostList(nodes) : targets.length > 0 ? 'the job as a whole' : 'nobody';
  return `${oneLine(named)} would be named${error === null ? '' : `, and ${error}`}`;
}

const seeJson = ' (-o json lists all)';

/** Symptoms that share everything but their place, and the nodes their reasons speak of. */
interface Kind {
  readonly example: WireSymptom;
  /** The reason, with marks where it names nodes. */
  readonly reason: string;
  readonly nodes: Set<string>;
  readonly ranks: Set<number>;
  readonly causes: Set<string>;
  count: number;
  atLeast: boolean;
}

const ownNode = '\u0000own';
const causeNode = '\u0000cause';

function roleText(role: string, kinds: readonly Kind[], most: number, style: Style): string[] {
  const telling = kinds.filter(({ example }) => !untold.has(example.rule_role)).slice(0, most);
  const shown = telling.map(kind => `  ${role.padEnd(10)}  ${kindText(kind, style)}\n`);
  const left = kinds.filter(kind => !telling.includes(kind));
  if (left.length === 0) return shown;
  const times = left.reduce((sum, { count }) => sum + count, 0);
  const more = `${left.length} more ${left.length === 1 ? 'kind' : 'kinds'}, ${timesText(times)}`;
  return [...shown, `  ${role.padEnd(10)}  ${more}${seeJson}\n`];
}

function kindsOf(symptoms: readonly WireSymptom[]): readonly Kind[] {
  const byId = new Map(symptoms.map(symptom => [symptom.id, symptom]));
  const kinds = new Map<string, Kind>();
  for (const symptom of symptoms) {
    const cause = byId.get(symptom.reason?.cause ?? '')?.node ?? null;
    const reason = markNodes(symptom.reason?.text ?? '', symptom.node, cause);
    const { role, rule, code, strength, title } = symptom;
    const key = JSON.stringify([role, rule, code, strength, title, symptom.reason?.pass, reason]);
    const known = kinds.get(key);
    const kind = known ?? {
      example: symptom,
      reason,
      nodes: new Set(),
      ranks: new Set(),
      causes: new Set(),
      count: 0,
      atLeast: false,
    };
    if (symptom.node !== null) kind.nodes.add(symptom.node);
    if (symptom.rank !== null) kind.ranks.add(symptom.rank);
    if (cause !== null) kind.causes.add(cause);
    kind.count += symptom.count;
    kind.atLeast ||= symptom.count_is_at_least;
    if (known === undefined) kinds.set(key, kind);
  }
  return [...kinds.values()].sort(
    (a, b) =>
      (a.example.strength < b.example.strength ? -1 : a.example.strength > b.example.strength ? 1 : 0) ||
      b.count - a.count ||
      (a.example.title < b.example.title ? -1 : 1),
  );
}

/** Nodes that a reason names become marks, so that the same reason on many nodes is one kind. */
function markNodes(text: string, own: string | null, cause: string | null): string {
  return text
    .split(' ')
    .map(word => (word === own ? ownNode : word === cause ? causeNode : word))
    .join(' ');
}

function kindText({ example, reason, nodes, ranks, causes, count, atLeast }: Kind, style: Style): string {
  const where = nodes.size > 0 ? ` on ${hostsText(nodes)}` : ofRanks(ranks);
  const why = reason.replaceAll(ownNode, hostsText(nodes)).replaceAll(causeNode, hostsText(causes));
  const time = example.first === null ? '' : `${example.first.slice(11, 19)} `;
  const by = example.reason?.kind === 'guard' ? `guard ${example.reason.pass}` : (example.reason?.kind ?? '');
  const mark = [example.rule, example.code, example.strength].filter(part => part !== null).join(' ');
  const head = `${time}${example.title}${where}, ${atLeast ? 'at least ' : ''}${timesText(count)}: ${why}`;
  return `${oneLine(head)}  ${style.faint(`[${mark}, ${by}]`)}`;
}

const mostHostsLength = 60;

function hostsText(names: ReadonlySet<string>): string {
  const list = compressHostList([...names]);
  return list.length <= mostHostsLength || names.size === 1 ? list : `${names.size} nodes`;
}

function ofRanks(ranks: ReadonlySet<number>): string {
  if (ranks.size === 0) return '';
  return ranks.size === 1 ? ` of rank ${[...ranks].join()}` : ` of ${ranks.size} ranks`;
}

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Names come out of logs: none may end the line. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
