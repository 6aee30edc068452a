import type { Answer, HttpClient } from '../http-client/http-client.ts';

/** How long the server keeps a point in time between two pages. */
const keepAlive = '1m';

/** What is known of a server's ways to keep a point in time. */
export interface PointsInTime {
  /** Null where the server has none that can be paged through. */
  open(signal: AbortSignal): Promise<string | null>;
  /** What a search over one adds to its body. */
  member(id: string): Readonly<Record<string, unknown>>;
  /** Says that the server cannot page through them after all. */
  giveUp(): void;
  close(id: string): void;
  /** Once everything that was to be closed is. */
  settled(): Promise<void>;
}

/** Elasticsearch's way, else OpenSearch's, else none: which one works is remembered. */
export function createPointsInTime(index: string, client: HttpClient): PointsInTime {
  let way: 'elasticsearch' | 'opensearch' | 'none' = 'elasticsearch';
  const closing = new Set<Promise<unknown>>();
  const openBy = (path: string, signal: AbortSignal): Promise<Answer> =>
    client.send({ method: 'POST', path, query: { keep_alive: keepAlive }, expected: 'json' }, signal);
  return {
    async open(signal) {
      if (way === 'elasticsearch') {
        const answer = await openBy(`/${index}/_pit`, signal);
        if (answer.ok) return idOf(answer.value, 'id');
        if (!isUnknown(answer)) return null;
        way = 'opensearch';
      }
      if (way === 'opensearch') {
        const answer = await openBy(`/${index}/_search/point_in_time`, signal);
        if (answer.ok) return idOf(answer.value, 'pit_id');
        if (isUnknown(answer)) way = 'none';
      }
      return null;
    },
    member: id => ({ pit: { id, keep_alive: keepAlive } }),
    giveUp() {
      way = 'none';
    },
    close(id) {
      const request =
        way === 'opensearch'
          ? { path: '/_search/point_in_time', body: { json: { pit_id: [id] } } }
          : { path: '/_pit', body: { json: { id } } };
      // What is not closed ends by itself after `keepAlive`.
      const never = new AbortController().signal;
      const closed = client.send({ method: 'DELETE', expected: 'json', ...request }, never);
      closing.add(closed);
      void closed.finally(() => closing.delete(closed));
    },
    async settled() {
      await Promise.all(closing);
    },
  };
}

/** Whether the server does not know this way at all. */
function isUnknown(answer: Answer): boolean {
  return !answer.ok && [400, 404, 405].includes(answer.failure.status ?? 0);
}

function idOf(value: unknown, name: string): string | null {
  const id = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;
  return typeof id === 'string' ? id : null;
}
