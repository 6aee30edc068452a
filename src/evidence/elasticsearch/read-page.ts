import type { Answer } from '../http-client/http-client.ts';
import { type EdgeCursor, edgePage } from '../log-store/edge-page.ts';
import type { Cursor, Page, Selection, Told } from '../log-store/log-store.ts';
import { type HitContent, readHits, troubleOf, windowLimit } from './answers.ts';
import type { PointsInTime } from './point-in-time.ts';
import type { Searches } from './searches.ts';
import type { ElasticsearchSettings } from './settings.ts';

/** Where a page ended: after a document of a point in time, or at a stamp. */
export interface SearchCursor extends Cursor {
  readonly at:
    | {
        readonly kind: 'document';
        readonly pit: string;
        readonly sort: readonly unknown[];
        readonly size: number;
      }
    | { readonly kind: 'stamp'; readonly edge: EdgeCursor };
}

export interface PageParts {
  readonly settings: ElasticsearchSettings;
  readonly searches: Searches;
  readonly points: PointsInTime;
  search(path: string, body: unknown, signal: AbortSignal): Promise<Answer>;
  /** Most documents of one answer, as far as refusals told. */
  readonly limit: { documents: number };
}

/** No page is larger than so many usual ones, whatever shares one stamp. */
const largestRaise = 16;

/** A page after a document of a point in time where the server can do that, else from a stamp on. */
export async function readPage(
  parts: PageParts,
  selection: Selection,
  nodeField: string | null,
  after: SearchCursor | null,
  signal: AbortSignal,
): Promise<Told<Page<SearchCursor>>> {
  if (after?.at.kind === 'stamp') return pageAtStamp(parts, selection, nodeField, after.at.edge, signal);
  const pit = after?.at.kind === 'document' ? after.at.pit : await parts.points.open(signal);
  if (pit === null) return pageAtStamp(parts, selection, nodeField, null, signal);
  const page = await pageOfDocuments(parts, selection, nodeField, pit, after, signal);
  if (page !== 'unsupported') return page;
  parts.points.close(pit);
  parts.points.giveUp();
  return pageAtStamp(parts, selection, nodeField, null, signal);
}

async function pageOfDocuments(
  parts: PageParts,
  selection: Selection,
  nodeField: string | null,
  pit: string,
  after: SearchCursor | null,
  signal: AbortSignal,
): Promise<Told<Page<SearchCursor>> | 'unsupported'> {
  const { settings, searches, points } = parts;
  const { window } = selection;
  const from = after?.at.kind === 'document' ? after.at : null;
  const query = searches.query(selection, window.from, nodeField);
  const further = from === null ? {} : { search_after: from.sort };
  const bodyOf = (size: number) => ({
    ...searches.page(query, nodeField, size),
    ...searches.sortable,
    ...points.member(pit),
    ...further,
  });
  const { answer, size } = await ask(parts, '/_search', bodyOf, from?.size ?? settings.store.pageLines, signal);
  if (!answer.ok) {
    if (answer.failure.status === 400 && from === null) return 'unsupported';
    points.close(pit);
    return troubleOf(answer.failure);
  }
  const read = readHits(answer.value, contentOf(parts, selection, nodeField));
  if (!read.ok) return read;
  const { streams, hits, lastSort, lastStamp, lost } = read.value;
  const all = { window, after: null, limit: Number.POSITIVE_INFINITY, usualLimit: size, mostEntries: size };
  const page = edgePage(streams, all, lost);
  if (hits < size || lastSort === null || lastStamp === null) {
    points.close(pit);
    return { ok: true, value: { ...page, next: null } };
  }
  if (after !== null && lastStamp < after.reached) {
    // An order that goes back would never end.
    points.close(pit);
    return { ok: true, value: { ...page, next: null, lost: 'the server returned pages out of order' } };
  }
  const next: SearchCursor = { reached: lastStamp, at: { kind: 'document', pit, sort: lastSort, size } };
  return { ok: true, value: { ...page, next } };
}

/** For servers without points in time: the first documents from a stamp on, known by their ids. */
async function pageAtStamp(
  parts: PageParts,
  selection: Selection,
  nodeField: string | null,
  after: EdgeCursor | null,
  signal: AbortSignal,
): Promise<Told<Page<SearchCursor>>> {
  const { settings, searches } = parts;
  const { window } = selection;
  const usual = settings.store.pageLines;
  const query = searches.query(selection, after?.reached ?? window.from, nodeField);
  const bodyOf = (wanted: number) => searches.page(query, nodeField, wanted);
  const path = `/${settings.index}/_search`;
  const { answer, size } = await ask(parts, path, bodyOf, after?.limit ?? usual, signal);
  if (!answer.ok) return troubleOf(answer.failure);
  const read = readHits(answer.value, contentOf(parts, selection, nodeField));
  if (!read.ok) return read;
  const request = {
    window,
    after,
    limit: size,
    usualLimit: Math.min(usual, size),
    mostEntries: Math.min(usual * largestRaise, parts.limit.documents),
  };
  const { next, ...page } = edgePage(read.value.streams, request, read.value.lost);
  const cursor: SearchCursor | null =
    next === null ? null : { reached: next.reached, at: { kind: 'stamp', edge: next } };
  return { ok: true, value: { ...page, next: cursor } };
}

/** Where the parts of a selection's lines stand. */
export function contentOf(
  { settings, searches }: PageParts,
  { origin, workloadId }: Selection,
  nodeField: string | null,
): HitContent {
  const fileField = origin === 'job' ? (settings.job?.fileField ?? null) : null;
  return { settings, terms: searches.terms(origin, workloadId), nodeField, fileField };
}

/** Asks for so many documents, and for fewer where that is too many for the server or for us. */
async function ask(
  parts: PageParts,
  path: string,
  bodyOf: (size: number) => unknown,
  wanted: number,
  signal: AbortSignal,
): Promise<{ readonly answer: Answer; readonly size: number }> {
  for (let size = Math.min(wanted, parts.limit.documents); ; ) {
    const answer = await parts.search(path, bodyOf(size), signal);
    const less = smallerSize(parts, answer, size);
    if (less === null) return { answer, size };
    size = less;
  }
}

/** What to ask for instead of a page that was too large for the server or for us. */
function smallerSize(parts: PageParts, answer: Answer, size: number): number | null {
  if (answer.ok) return null;
  if (answer.failure.kind === 'too_large') return size > 1 ? Math.floor(size / 2) : null;
  const limit = windowLimit(answer.failure);
  if (limit === null || limit >= size || limit < 1) return null;
  parts.limit.documents = Math.min(parts.limit.documents, limit);
  return limit;
}
