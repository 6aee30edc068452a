import { type Selection, type Textless, type Told, trouble } from '../log-store/log-store.ts';
import { readBuckets, readHits, readTotal, troubleOf } from './answers.ts';
import { contentOf, type PageParts } from './read-page.ts';

/** Documents that are looked at to see whether their messages can be read: one may well be odd. */
const sampled = 10;

/**
 * Nodes whose documents hold no message where it is read. A filter on another field shows nothing of that: no document
 * passes it, and none is missed. The index tells, where it knows the field; what is sampled tells what it does not.
 */
export async function findTextless(
  parts: PageParts,
  selection: Selection,
  nodeField: string | null,
  signal: AbortSignal,
): Promise<Told<Textless>> {
  const { searches, settings } = parts;
  const remedy = `set messageField (${settings.messageField}) to the field that has it in _source`;
  const found = (names: Textless['names']): Told<Textless> => ({ ok: true, value: { names, remedy } });
  const query = searches.query({ ...selection, cover: null }, selection.window.from, nodeField);
  const [indexed, without] = await Promise.all([
    sample(parts, selection, nodeField, searches.withMessage(query), signal),
    countByNode(parts, searches.withoutMessage(query), nodeField, selection.nodes?.length ?? mostKnown, signal),
  ]);
  if (!indexed.ok) return indexed;
  if (indexed.value === 'textless') return found('all');
  if (indexed.value === 'nothing') {
    const any = await sample(parts, selection, nodeField, query, signal);
    return any.ok ? found(any.value === 'textless' ? 'all' : new Set()) : any;
  }
  if (!without.ok) return without;
  if ([...without.value.values()].every(count => count === 0)) return found(new Set());
  const all = await countByNode(parts, query, nodeField, selection.nodes?.length ?? mostKnown, signal);
  if (!all.ok) return all;
  const own = [...without.value].filter(([name, count]) => count > 0 && count >= (all.value.get(name) ?? 0));
  return found(new Set(own.map(([name]) => name)));
}

async function sample(
  parts: PageParts,
  selection: Selection,
  nodeField: string | null,
  query: unknown,
  signal: AbortSignal,
): Promise<Told<'text' | 'textless' | 'nothing'>> {
  const { searches, settings } = parts;
  const body = searches.page(query, nodeField, sampled);
  const answer = await parts.search(`/${settings.index}/_search`, body, signal);
  if (!answer.ok) return troubleOf(answer.failure);
  const read = readHits(answer.value, contentOf(parts, selection, nodeField));
  if (!read.ok) return read;
  const { hits, streams, lost } = read.value;
  if (hits === 0) return lost === null ? { ok: true, value: 'nothing' } : trouble('truncated', lost);
  return { ok: true, value: streams.length === 0 ? 'textless' : 'text' };
}

/** Nodes that one listing may return. */
export const mostKnown = 65_000;

/** How many documents match by node; without a field for nodes under the empty name. */
export async function countByNode(
  { searches, search, settings }: PageParts,
  query: unknown,
  nodeField: string | null,
  most: number,
  signal: AbortSignal,
): Promise<Told<ReadonlyMap<string, number>>> {
  const path = `/${settings.index}/_search`;
  if (nodeField !== null) {
    const answer = await search(path, searches.counts(query, nodeField, most), signal);
    return answer.ok ? readBuckets(answer.value) : troubleOf(answer.failure);
  }
  const answer = await search(path, { size: 0, query, track_total_hits: true }, signal);
  if (!answer.ok) return troubleOf(answer.failure);
  const told = readTotal(answer.value);
  return told.ok ? { ok: true, value: new Map([['', told.value]]) } : told;
}
