import type { LogOrigin, Selection } from '../log-store/log-store.ts';
import { escapePattern, isNodeName, type Matcher, quote, writeMatcher } from '../log-store/matchers.ts';
import type { LokiSettings } from './settings.ts';

/** Writes the queries of one configured server. */
export interface LokiQueries {
  /** A selector without nodes, `{...}`. */
  selector(origin: LogOrigin, workloadId: string): string;
  /** Entries of a selection. A cover that does not fit is left out. */
  entries(selection: Selection, nodeLabel: string | null, mostBytes: number): string;
  /** What the server filters lines by in such a query; null where it filters none. */
  filter(selection: Selection, mostBytes: number): string | null;
  /** Entries of a selection that hold more than blanks. */
  texts(selection: Selection, nodeLabel: string | null): string;
  /** Lines of a selection, by node where it has nodes. */
  counts(selection: Selection, nodeLabel: string | null): string;
}

export function lokiQueries(settings: LokiSettings): LokiQueries {
  const matchersOf = (origin: LogOrigin, workloadId: string): readonly Matcher[] => {
    const { kernel, epilog, job } = settings;
    if (origin !== 'job') {
      return [...settings.matchers, ...((origin === 'kernel' ? kernel : epilog)?.matchers ?? [])];
    }
    const id: readonly Matcher[] =
      job?.idIn === 'label' ? [{ label: job.idLabel, operator: '=', value: workloadId }] : [];
    return [...settings.matchers, ...(job?.matchers ?? []), ...id];
  };
  const selector = (selection: Selection, nodeLabel: string | null): string => {
    const { origin, workloadId, nodes } = selection;
    const named = nodes === null || nodeLabel === null ? [] : [nodeMatcher(nodeLabel, nodes)];
    return `{${[...matchersOf(origin, workloadId).map(writeMatcher), ...named].join(',')}}`;
  };
  const idFilter = ({ origin, workloadId }: Selection): string => {
    const { job } = settings;
    return origin === 'job' && job?.idIn === 'metadata' ? ` | ${job.idLabel}=${quote(workloadId)}` : '';
  };
  const filter = (selection: Selection, mostBytes: number): string | null => {
    const { cover } = selection;
    if (cover === null || cover.length === 0) return null;
    const text = `|~ ${quote(`(?i)${cover.map(escapePattern).join('|')}`)}`;
    const room =
      mostBytes - bytesOf(selector({ ...selection, nodes: null }, null)) - bytesOf(idFilter(selection));
    // Half of a query at least is left for names of nodes.
    return bytesOf(text) <= Math.min(room - 1, mostBytes / 2) ? text : null;
  };
  return {
    selector: (origin, workloadId) => `{${matchersOf(origin, workloadId).map(writeMatcher).join(',')}}`,
    filter,
    entries(selection, nodeLabel, mostBytes) {
      const lines = filter(selection, mostBytes);
      return `${selector(selection, nodeLabel)}${lines === null ? '' : ` ${lines}`}${idFilter(selection)}`;
    },
    texts: (selection, nodeLabel) =>
      `${selector(selection, nodeLabel)} |~ ${quote('\\S')}${idFilter(selection)}`,
    counts(selection, nodeLabel) {
      const { from, to } = selection.window;
      const ms = (to - from + 999_999n) / 1_000_000n;
      const lines = `count_over_time(${selector(selection, nodeLabel)}${idFilter(selection)}[${ms}ms])`;
      return nodeLabel === null ? `sum(${lines})` : `sum by (${nodeLabel}) (${lines})`;
    },
  };
}

/** The one way for names of nodes into a query: each is checked, and stands for itself. */
function nodeMatcher(label: string, nodes: readonly string[]): string {
  const [first, ...others] = nodes;
  const odd = nodes.find(name => !isNodeName(name));
  if (first === undefined || odd !== undefined)
    throw new Error('a query was to name no node, or what is no node');
  if (others.length === 0) return writeMatcher({ label, operator: '=', value: first });
  return writeMatcher({ label, operator: '=~', value: nodes.map(escapePattern).join('|') });
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
