import type { Source } from '../../../src/core/ports.ts';
import { bufferPool } from '../../../src/evidence/buffers.ts';
import { createElasticsearchSource } from '../../../src/evidence/elasticsearch/elasticsearch-source.ts';
import { parseElasticsearchSettings } from '../../../src/evidence/elasticsearch/settings.ts';
import { machineClock } from '../log-lines.ts';
import type { LoggedLine, StoreUnderTest } from '../log-store-suite.ts';
import { silentLog } from '../silent-log.ts';

const index = 'attribution-test';

/** An Elasticsearch or OpenSearch at an address, filled and read as the suite wants. */
export function elasticsearchUnderTest(url: string, close: () => Promise<void>): StoreUnderTest {
  return {
    stampNanos: 1n,
    push: (cluster, lines) => pushToElasticsearch(url, cluster, lines),
    source: (cluster, settings = {}) =>
      elasticsearchSource(url, { terms: { cluster }, filterField: 'message.whole', ...settings }),
    close,
  };
}

export function elasticsearchSource(url: string, settings: Readonly<Record<string, unknown>> = {}): Source {
  const parsed = parseElasticsearchSettings({ name: 'logs', kind: 'elasticsearch', url, index, ...settings });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return createElasticsearchSource(parsed.settings, {
    clock: machineClock,
    log: silentLog,
    buffers: bufferPool(),
    random: () => 0.5,
  });
}

const keyword = { type: 'keyword' };
const mappings = {
  properties: {
    '@timestamp': { type: 'date_nanos' },
    message: { type: 'text', fields: { whole: { type: 'wildcard' } } },
    cluster: keyword,
    job: keyword,
    job_id: keyword,
    host: { properties: { name: keyword } },
    log: { properties: { file: { properties: { path: keyword } } } },
  },
};

export async function pushToElasticsearch(
  url: string,
  cluster: string,
  lines: readonly LoggedLine[],
): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  // Refused where the index is there already.
  const created = await fetch(`${url}/${index}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ mappings }),
  });
  await created.arrayBuffer();
  const body = lines.flatMap(line => ['{"index":{}}', JSON.stringify(documentOf(cluster, line))]).join('\n');
  const sent = await fetch(`${url}/${index}/_bulk?refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${body}\n`,
  });
  const answer = (await sent.json()) as { errors?: boolean };
  if (!sent.ok || answer.errors === true) throw new Error(`bulk failed: ${sent.status}`);
}

function documentOf(
  cluster: string,
  { origin, node, job, file, nanos, line }: LoggedLine,
): Record<string, string> {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  const stamp = `${seconds}.${String(nanos % 1_000_000_000n).padStart(9, '0')}Z`;
  const document = { '@timestamp': stamp, message: line, cluster, 'host.name': node };
  if (origin === 'job') return { ...document, job_id: job ?? '', 'log.file.path': file ?? '' };
  return { ...document, job: origin === 'kernel' ? 'kernel' : 'epilog' };
}
