import type { Window } from '../../core/time.ts';
import type { HttpClient } from '../http-client/http-client.ts';
import { type EdgeCursor, edgePage } from '../log-store/edge-page.ts';
import { findNodes } from '../log-store/find-nodes.ts';
import { groupNames } from '../log-store/group-names.ts';
import type { LogOrigin, LogStore, Page, Selection, Told } from '../log-store/log-store.ts';
import { escapePattern } from '../log-store/matchers.ts';
import { readCounts, readNames, readStreams, troubleOf } from './answers.ts';
import { createLokiApi, type LokiApi } from './limits.ts';
import { bytesOf, type LokiQueries, lokiQueries } from './queries.ts';
import type { LokiSettings } from './settings.ts';
import { lostBy, storedStreams } from './streams.ts';

/** A page that was refused is asked for again so often, each time for less. */
const mostRefusals = 12;
/** No page is larger than so many usual ones, whatever shares one stamp. */
const largestRaise = 16;

const remedy = 'have what ships the logs write the message as the line, not only as labels or metadata';

/** Loki by its HTTP API. */
export function createLokiStore(settings: LokiSettings, client: HttpClient): LogStore<EdgeCursor> {
  const queries = lokiQueries(settings);
  const api = createLokiApi(settings, client);
  const labels = new Map<LogOrigin, string>();
  const labelOf = (origin: LogOrigin): string | null =>
    origin === 'job' ? null : (labels.get(origin) ?? settings.nodeLabels[0] ?? null);
  return {
    origins: originsOf(settings),
    async knownNodes(origin, span, isAsked, signal) {
      const query = queries.selector(origin, '');
      const list = async (path: string, part: Window): Promise<Told<readonly string[]>> => {
        const answer = await api.ask(path, { query, ...spanOf(part) }, signal);
        return answer.ok ? readNames(answer.value) : troubleOf(answer.failure);
      };
      const labelApi = {
        labels: (part: Window) => list('/loki/api/v1/labels', part),
        values: (label: string, part: Window) =>
          list(`/loki/api/v1/label/${encodeURIComponent(label)}/values`, part),
      };
      const found = await findNodes(settings.nodeLabels, labelApi, span, isAsked);
      if (!found.ok) return found;
      labels.set(origin, found.value.label);
      return { ok: true, value: found.value.known };
    },
    groups(selection, names, purpose) {
      const limits = api.limits();
      const label = labelOf(selection.origin);
      // Two names make the longer form of the matcher, and are longer than the separator they stand for.
      const several = { ...selection, nodes: ['x', 'x'] };
      const text =
        purpose === 'count'
          ? queries.counts(several, label)
          : queries.entries(several, label, limits.queryBytes);
      const room = limits.queryBytes - bytesOf(text);
      const most = purpose === 'count' ? limits.series : names.length;
      return groupNames(names, room, most, name => bytesOf(escapePattern(name)) + 1);
    },
    async count(selection, signal) {
      const label = labelOf(selection.origin);
      const query = { query: queries.counts(selection, label), time: String(selection.window.to) };
      const answer = await api.ask('/loki/api/v1/query', query, signal);
      return answer.ok ? readCounts(answer.value, label) : troubleOf(answer.failure);
    },
    async textless(selection, signal) {
      const label = labelOf(selection.origin);
      const found = await oneOf(api, queries.texts(selection, label), selection.window, signal);
      return found.ok ? { ok: true, value: { names: found.value ? new Set() : 'all', remedy } } : found;
    },
    page: (selection, after, signal) =>
      readPage({ api, queries, settings }, selection, labelOf(selection.origin), after, signal),
    hasLines: (origin, window, signal) => oneOf(api, queries.selector(origin, ''), window, signal),
    describe(selection) {
      const { queryBytes } = api.limits();
      return {
        query: queries.entries({ ...selection, nodes: null, cover: null }, null, queryBytes),
        filter: queries.filter(selection, queryBytes),
      };
    },
    close: () => api.close(),
  };
}

/** Whether any entry of a window is there. */
async function oneOf(api: LokiApi, query: string, window: Window, signal: AbortSignal): Promise<Told<boolean>> {
  const asked = { query, limit: '1', direction: 'backward', ...spanOf(window) };
  const answer = await api.ask('/loki/api/v1/query_range', asked, signal);
  if (!answer.ok) return troubleOf(answer.failure);
  const read = readStreams(answer.value);
  return read.ok ? { ok: true, value: read.value.streams.some(({ entries }) => entries.length > 0) } : read;
}

function originsOf({ kernel, epilog, job }: LokiSettings): readonly LogOrigin[] {
  const all = { kernel, health: epilog, job };
  return (['kernel', 'health', 'job'] as const).filter(origin => all[origin] !== null);
}

interface PageParts {
  readonly api: LokiApi;
  readonly queries: LokiQueries;
  readonly settings: LokiSettings;
}

/** Asks for one page, and for a smaller one where the server or a cap refuses it. */
async function readPage(
  { api, queries, settings }: PageParts,
  selection: Selection,
  label: string | null,
  after: EdgeCursor | null,
  signal: AbortSignal,
): Promise<Told<Page<EdgeCursor>>> {
  const { window } = selection;
  const usual = settings.store.pageLines;
  const query = queries.entries(selection, label, api.limits().queryBytes);
  const range = spanOf({ from: after?.reached ?? window.from, to: window.to });
  let limit = Math.min(after?.limit ?? usual, api.limits().entries);
  for (let refusals = 0; ; refusals += 1) {
    const asked = { query, ...range, limit: String(limit), direction: 'forward' };
    const answer = await api.ask('/loki/api/v1/query_range', asked, signal);
    const { entries } = api.limits();
    if (answer.ok) {
      const read = readStreams(answer.value);
      if (!read.ok) return read;
      const request = {
        window,
        after,
        limit,
        usualLimit: Math.min(usual, limit, entries),
        mostEntries: Math.min(usual * largestRaise, entries),
      };
      return { ok: true, value: edgePage(storedStreams(read.value, label), request, lostBy(read.value)) };
    }
    const less = answer.failure.kind === 'too_large' ? Math.floor(limit / 2) : Math.min(limit, entries);
    if (less >= limit || less < 1 || refusals >= mostRefusals) return troubleOf(answer.failure);
    limit = less;
  }
}

function spanOf({ from, to }: Window): { readonly start: string; readonly end: string } {
  return { start: String(from), end: String(to) };
}
