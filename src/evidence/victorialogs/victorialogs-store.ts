import type { Answer, HttpClient } from '../http-client/http-client.ts';
import { type EdgeCursor, edgePage } from '../log-store/edge-page.ts';
import { findNodes } from '../log-store/find-nodes.ts';
import type { LogOrigin, LogStore, Page, Selection, Told } from '../log-store/log-store.ts';
import { readCounts, readEntries, readValues, troubleOf } from './answers.ts';
import { type VictoriaLogsQueries, victoriaLogsQueries } from './queries.ts';
import type { VictoriaLogsSettings } from './settings.ts';

/** No page is larger than so many usual ones, whatever shares one stamp. */
const largestRaise = 16;

const remedy = 'set _msg_field to the field that has it where logs are sent to VictoriaLogs';

type Ask = (path: string, form: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Answer>;

/** VictoriaLogs by its HTTP API. */
export function createVictoriaLogsStore(
  settings: VictoriaLogsSettings,
  client: HttpClient,
): LogStore<EdgeCursor> {
  const queries = victoriaLogsQueries(settings);
  const fields = new Map<LogOrigin, string>();
  const fieldOf = (origin: LogOrigin): string | null =>
    origin === 'job' ? null : (fields.get(origin) ?? settings.nodeFields[0] ?? null);
  const ask: Ask = (path, form, signal) => {
    const expected = path === 'query' ? 'json-lines' : 'json';
    const request = { method: 'POST', path: `/select/logsql/${path}`, body: { form }, expected } as const;
    return client.send(request, signal);
  };
  const list = async (
    path: string,
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Told<readonly string[]>> => {
    const answer = await ask(path, form, signal);
    return answer.ok ? readValues(answer.value) : troubleOf(answer.failure);
  };
  const counted = async (query: string, field: string | null, signal: AbortSignal) => {
    const answer = await ask('stats_query', { query }, signal);
    return answer.ok ? readCounts(answer.value, field) : troubleOf(answer.failure);
  };
  return {
    origins: originsOf(settings),
    async knownNodes(origin, span, isAsked, signal) {
      const found = await findNodes(
        settings.nodeFields,
        {
          labels: part => list('field_names', { query: queries.whole(origin, '', part) }, signal),
          values: (field, part) =>
            list('field_values', { query: queries.whole(origin, '', part), field }, signal),
        },
        span,
        isAsked,
      );
      if (!found.ok) return found;
      fields.set(origin, found.value.label);
      return { ok: true, value: found.value.known };
    },
    groups: (selection, names) => queries.groups(selection, fieldOf(selection.origin), names),
    async count(selection, signal) {
      const field = fieldOf(selection.origin);
      return counted(queries.counts(selection, field), field, signal);
    },
    async textless(selection, signal) {
      const field = fieldOf(selection.origin);
      const empty = await counted(queries.textless(selection, field), field, signal);
      if (!empty.ok) return empty;
      if ([...empty.value.values()].every(lines => lines === 0))
        return { ok: true, value: { names: new Set(), remedy } };
      const all = await counted(queries.counts(selection, field), field, signal);
      if (!all.ok) return all;
      const names = [...empty.value].filter(([name, lines]) => lines >= (all.value.get(name) ?? 0));
      return { ok: true, value: { names: new Set(names.map(([name]) => name)), remedy } };
    },
    page: (selection, after, signal) =>
      readPage({ ask, queries, settings }, selection, fieldOf(selection.origin), after, signal),
    async hasLines(origin, window, signal) {
      const answer = await ask('query', { query: `${queries.whole(origin, '', window)} | limit 1` }, signal);
      return answer.ok
        ? { ok: true, value: Array.isArray(answer.value) && answer.value.length > 0 }
        : troubleOf(answer.failure);
    },
    describe: selection => ({ query: queries.describe(selection), filter: queries.filter(selection) }),
    close: () => client.close(),
  };
}

function originsOf({ kernel, epilog, job }: VictoriaLogsSettings): readonly LogOrigin[] {
  const all = { kernel, health: epilog, job };
  return (['kernel', 'health', 'job'] as const).filter(origin => all[origin] !== null);
}

interface PageParts {
  readonly ask: Ask;
  readonly queries: VictoriaLogsQueries;
  readonly settings: VictoriaLogsSettings;
}

/** Asks for one page, and for half of it as long as it is more than may be taken. */
async function readPage(
  { ask, queries, settings }: PageParts,
  selection: Selection,
  field: string | null,
  after: EdgeCursor | null,
  signal: AbortSignal,
): Promise<Told<Page<EdgeCursor>>> {
  const { window } = selection;
  const usual = settings.store.pageLines;
  for (let limit = after?.limit ?? usual; ; limit = Math.floor(limit / 2)) {
    const query = queries.entries(selection, after?.reached ?? window.from, field, limit);
    const answer = await ask('query', { query }, signal);
    if (!answer.ok) {
      if (answer.failure.kind === 'too_large' && limit > 1) continue;
      return troubleOf(answer.failure);
    }
    const read = readEntries(answer.value, field);
    if (!read.ok) return read;
    const { streams, broken } = read.value;
    const lost = broken === 0 ? null : `${broken} entries could not be read`;
    const request = {
      window,
      after,
      limit,
      usualLimit: Math.min(usual, limit),
      mostEntries: usual * largestRaise,
    };
    return { ok: true, value: edgePage(streams, request, lost) };
  }
}
