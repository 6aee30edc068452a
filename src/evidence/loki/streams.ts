import type { StoredEntry, StoredStream } from '../log-store/edge-page.ts';
import { quote, writeMatcher } from '../log-store/matchers.ts';
import type { LokiStreams } from './answers.ts';

/** Streams by the query that returns each; one that names its node only in metadata is one stream a node. */
export function storedStreams({ streams }: LokiStreams, nodeLabel: string | null): readonly StoredStream[] {
  const named = new Map<string, { stream: string; node: string | null; entries: StoredEntry[] }>();
  for (const { labels, entries } of streams) {
    const selector = selectorOf(labels);
    const own = nodeLabel === null ? null : (labels[nodeLabel] ?? null);
    for (const entry of entries) {
      const told = nodeLabel === null || own !== null ? undefined : entry.metadata[nodeLabel];
      const stream = told === undefined ? selector : `${selector} | ${nodeLabel}=${quote(told)}`;
      const known = named.get(stream);
      if (known === undefined) named.set(stream, { stream, node: own ?? told ?? null, entries: [entry] });
      else known.entries.push(entry);
    }
  }
  return [...named.values()];
}

function selectorOf(labels: Readonly<Record<string, string>>): string {
  const matchers = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => writeMatcher({ label, operator: '=', value }));
  return `{${matchers.join(',')}}`;
}

/** Why the answer does not hold all that it should. */
export function lostBy({ broken, partial }: LokiStreams): string | null {
  if (broken > 0) return `${broken} entries could not be read`;
  return partial ? 'the server says that its answer is partial' : null;
}
