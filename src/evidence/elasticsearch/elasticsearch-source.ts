import type { Source } from '../../core/ports.ts';
import type { BufferPool } from '../buffers.ts';
import { createHttpClient, type HttpTools } from '../http-client/http-client.ts';
import { createLogStoreSource } from '../log-store/log-store-source.ts';
import { createElasticsearchStore } from './elasticsearch-store.ts';
import type { ElasticsearchSettings } from './settings.ts';

/** Kernel logs, job text and epilog health checks from one Elasticsearch or OpenSearch. */
export function createElasticsearchSource(
  settings: ElasticsearchSettings,
  tools: HttpTools & { readonly buffers: BufferPool },
): Source {
  const { name, http, store, kernel, epilog } = settings;
  return createLogStoreSource({
    name,
    store: createElasticsearchStore(settings, createHttpClient(name, http, tools)),
    settings: store,
    formats: { kernel: kernel?.format ?? 'auto', health: epilog?.format ?? 'auto' },
    concurrency: http.concurrency,
    tools,
  });
}
