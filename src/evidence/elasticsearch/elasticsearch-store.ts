import type { Window } from '../../core/time.ts';
import type { Answer, HttpClient } from '../http-client/http-client.ts';
import { findNodes } from '../log-store/find-nodes.ts';
import { groupNames } from '../log-store/group-names.ts';
import type { LogOrigin, LogStore, Selection, Told } from '../log-store/log-store.ts';
import { readBuckets, readFieldCaps, troubleOf } from './answers.ts';
import { countByNode, findTextless, mostKnown } from './find-textless.ts';
import { createPointsInTime } from './point-in-time.ts';
import { type PageParts, readPage, type SearchCursor } from './read-page.ts';
import { searches as searchesOf, writeQuery } from './searches.ts';
import type { ElasticsearchSettings } from './settings.ts';

/** Nodes in one query; servers take several times as many. */
const mostNames = 10_000;
const none = Promise.resolve({ ok: true, value: { names: new Set<string>(), remedy: '' } } as const);

/** Elasticsearch and OpenSearch by their HTTP API. */
export function createElasticsearchStore(
  settings: ElasticsearchSettings,
  client: HttpClient,
): LogStore<SearchCursor> {
  const searches = searchesOf(settings);
  const fields = new Map<LogOrigin, string>();
  const fieldOf = (origin: LogOrigin): string | null =>
    origin === 'job' ? null : (fields.get(origin) ?? settings.nodeFields[0] ?? null);
  // What a part of the shards holds is read, and coverage says that it is a part.
  const query = { allow_partial_search_results: 'true' } as const;
  const search = (path: string, body: unknown, signal: AbortSignal): Promise<Answer> =>
    client.send({ method: 'POST', path, query, body: { json: body }, expected: 'json' }, signal);
  const inIndex = `/${settings.index}/_search`;
  const parts: PageParts = {
    settings,
    searches,
    points: createPointsInTime(settings.index, client),
    search,
    limit: { documents: Number.POSITIVE_INFINITY },
  };
  return {
    origins: originsOf(settings),
    async knownNodes(origin, span, isAsked, signal) {
      const labels = async (): Promise<Told<readonly string[]>> => {
        const query = { fields: settings.nodeFields.join(','), ignore_unavailable: 'true' };
        const path = `/${settings.index}/_field_caps`;
        const answer = await client.send({ method: 'GET', path, query, expected: 'json' }, signal);
        return answer.ok ? readFieldCaps(answer.value) : troubleOf(answer.failure);
      };
      const values = async (field: string, part: Window): Promise<Told<readonly string[]>> => {
        const body = searches.counts(searches.whole(origin, part), field, mostKnown);
        const answer = await search(inIndex, body, signal);
        if (!answer.ok) return troubleOf(answer.failure);
        const counts = readBuckets(answer.value);
        return counts.ok ? { ok: true, value: [...counts.value.keys()] } : counts;
      };
      const found = await findNodes(settings.nodeFields, { labels, values }, span, isAsked);
      if (!found.ok) return found;
      fields.set(origin, found.value.label);
      return { ok: true, value: found.value.known };
    },
    textless: (selection, signal) =>
      settings.filterField === null ? none : findTextless(parts, selection, fieldOf(selection.origin), signal),
    groups: (_selection, names) => groupNames(names, Number.POSITIVE_INFINITY, mostNames, () => 0),
    count(selection, signal) {
      const field = fieldOf(selection.origin);
      const query = searches.query(selection, selection.window.from, field);
      return countByNode(parts, query, field, selection.nodes?.length ?? mostKnown, signal);
    },
    page: (selection, after, signal) => readPage(parts, selection, fieldOf(selection.origin), after, signal),
    async hasLines(origin, window, signal) {
      const told = await countByNode(parts, searches.whole(origin, window), null, 0, signal);
      return told.ok ? { ok: true, value: (told.value.get('') ?? 0) > 0 } : told;
    },
    describe: (selection: Selection) => ({
      query: writeQuery(settings.index, searches.terms(selection.origin, selection.workloadId)),
      filter: searches.filter(selection),
    }),
    async close() {
      await parts.points.settled();
      await client.close();
    },
  };
}

function originsOf({ kernel, epilog, job }: ElasticsearchSettings): readonly LogOrigin[] {
  const all = { kernel, health: epilog, job };
  return (['kernel', 'health', 'job'] as const).filter(origin => all[origin] !== null);
}
