import type { Source } from '../../core/ports.ts';
import type { BufferPool } from '../buffers.ts';
import { createHttpClient, type HttpTools } from '../http-client/http-client.ts';
import { createLogStoreSource } from '../log-store/log-store-source.ts';
import type { VictoriaLogsSettings } from './settings.ts';
import { createVictoriaLogsStore } from './victorialogs-store.ts';

/** Kernel logs, job text and epilog health checks from one VictoriaLogs. */
export function createVictoriaLogsSource(
  settings: VictoriaLogsSettings,
  tools: HttpTools & { readonly buffers: BufferPool },
): Source {
  const { name, http, store, kernel, epilog } = settings;
  return createLogStoreSource({
    name,
    store: createVictoriaLogsStore(settings, createHttpClient(name, http, tools)),
    settings: store,
    formats: { kernel: kernel?.format ?? 'auto', health: epilog?.format ?? 'auto' },
    concurrency: http.concurrency,
    tools,
  });
}
