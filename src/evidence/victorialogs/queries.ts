import type { Nanos, Window } from '../../core/time.ts';
import { groupNames } from '../log-store/group-names.ts';
import type { LogOrigin, Selection } from '../log-store/log-store.ts';
import { escapePattern, isNodeName, type Matcher } from '../log-store/matchers.ts';
import type { VictoriaLogsSettings } from './settings.ts';

/** Writes LogsQL for one configured server. */
export interface VictoriaLogsQueries {
  /** Everything of an origin in a span of time. */
  whole(origin: LogOrigin, workloadId: string, span: Window): string;
  /** The first entries of a selection from a stamp on. */
  entries(selection: Selection, from: Nanos, nodeField: string | null, limit: number): string;
  filter(selection: Selection): string | null;
  counts(selection: Selection, nodeField: string | null): string;
  /** Counts of lines without text; of such the server keeps none, or a sentence of its own. */
  textless(selection: Selection, nodeField: string | null): string;
  /** The query without time, for people to read. */
  describe(selection: Selection): string;
  groups(
    selection: Selection,
    nodeField: string | null,
    names: readonly string[],
  ): readonly (readonly string[])[];
}

export function victoriaLogsQueries(settings: VictoriaLogsSettings): VictoriaLogsQueries {
  const base = (origin: LogOrigin, workloadId: string): string => {
    const { kernel, epilog, job } = settings;
    const own = (origin === 'job' ? job : origin === 'kernel' ? kernel : epilog)?.matchers ?? [];
    const matchers = [...settings.matchers, ...own];
    const streams = matchers.length === 0 ? [] : [`{${matchers.map(writeStreamMatcher).join(',')}}`];
    const id = origin === 'job' && job !== null ? [`${quoteName(job.idField)}:=${quote(workloadId)}`] : [];
    return [...streams, ...id].join(' ') || '*';
  };
  const filter = ({ cover, origin, workloadId }: Selection): string | null => {
    if (cover === null || cover.length === 0) return null;
    const text = `_msg:~${quote(`(?i)${cover.map(escapePattern).join('|')}`)}`;
    const room = settings.queryBytes - bytesOf(base(origin, workloadId)) - overheadBytes;
    // Half of a query at least is left for names of nodes.
    return bytesOf(text) <= Math.min(room, settings.queryBytes / 2) ? text : null;
  };
  const selected = (selection: Selection, nodeField: string | null): string => {
    const { origin, workloadId, nodes } = selection;
    const named = nodes === null || nodeField === null ? [] : [nodeFilter(nodeField, nodes)];
    return [base(origin, workloadId), ...named].join(' ');
  };
  const counted = (selection: Selection, nodeField: string | null, which: string): string => {
    const by = nodeField === null ? '' : `by (${quoteName(nodeField)}) `;
    const lines = `${selected(selection, nodeField)} ${timeFilter(selection.window)}`;
    return `${lines}${which} | stats ${by}count() as lines`;
  };
  return {
    whole: (origin, workloadId, span) => `${base(origin, workloadId)} ${timeFilter(span)}`,
    filter,
    entries(selection, from, nodeField, limit) {
      const parts = [selected(selection, nodeField), timeFilter({ from, to: selection.window.to })];
      const lines = filter(selection);
      const fields = ['_time', '_stream', '_msg', ...(nodeField === null ? [] : [quoteName(nodeField)])];
      const pipes = `sort by (_time) limit ${limit} | fields ${fields.join(', ')}`;
      return `${[...parts, ...(lines === null ? [] : [lines])].join(' ')} | ${pipes}`;
    },
    counts: (selection, nodeField) => counted(selection, nodeField, ''),
    textless: (selection, nodeField) => counted(selection, nodeField, ' _msg:~"^(missing _msg field.*)?$"'),
    describe: ({ origin, workloadId }) => base(origin, workloadId),
    groups(selection, nodeField, names) {
      const empty = { ...selection, nodes: [] };
      const used = [selected({ ...empty, nodes: null }, nodeField), filter(selection) ?? ''].join(' ');
      const room = settings.queryBytes - bytesOf(used) - 2 * bytesOf(nodeField ?? '') - overheadBytes;
      return groupNames(names, room, names.length, name => bytesOf(name) + 3);
    },
  };
}

/** What time, pipes and punctuation take of a query, at the most. */
const overheadBytes = 250;

function timeFilter({ from, to }: Window): string {
  return `_time:[${formatStamp(from)}, ${formatStamp(to)})`;
}

/** RFC 3339 with all nine digits. */
export function formatStamp(nanos: Nanos): string {
  const seconds = nanos / 1_000_000_000n;
  const fraction = String(nanos % 1_000_000_000n).padStart(9, '0');
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** The one way for names of nodes into a query: each is checked and quoted. */
function nodeFilter(field: string, nodes: readonly string[]): string {
  if (nodes.length === 0 || !nodes.every(isNodeName)) {
    throw new Error('a query was to name no node, or what is no node');
  }
  return `${quoteName(field)}:in(${nodes.map(quote).join(',')})`;
}

function writeStreamMatcher({ label, operator, value }: Matcher): string {
  return `${label}${operator}${quote(value)}`;
}

export function quote(text: string): string {
  return JSON.stringify(text);
}

/** Names of fields that are plain words stay as they are. */
function quoteName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quote(name);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
