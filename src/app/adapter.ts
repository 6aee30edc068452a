import { randomBytes } from 'node:crypto';
import { type AttributionAdapter, createAttributionAdapter } from '../adapter/attribute.ts';
import type { Settings } from '../config/settings.ts';
import type { HistoryRow } from '../core/history.ts';
import type { Provider } from '../core/ports.ts';
import { pastOf } from '../history/past.ts';
import { rememberAll, rememberIn } from '../history/remember.ts';
import { shadowClusterOf } from '../history/shadow-cluster.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { drawAhead, randomIds } from '../sessions/session-id.ts';
import { silentMetrics } from '../telemetry/silent-metrics.ts';
import { serviceVersion } from './service-version.ts';
import { historyLimitsOf } from './store-limits.ts';
import { type OpenStores, openStores } from './stores.ts';
import type { Surroundings } from './surroundings.ts';

/** The use case over a provider, with its stores. */
export interface OpenAdapter extends Omit<OpenStores, 'close'> {
  readonly adapter: AttributionAdapter;
  close(): Promise<void>;
}

export async function openAdapter(
  settings: Settings,
  provider: Provider,
  surroundings: Surroundings,
  past: readonly HistoryRow[] = [],
): Promise<OpenAdapter> {
  const stores = await openStores(settings, surroundings);
  const { sessions, history, audit } = stores;
  await rememberAll(history, past);
  const { shadow } = settings;
  const { enabled } = settings.history;
  const cluster = shadow ? shadowClusterOf(settings.history.cluster) : settings.history.cluster;
  const adapter = createAttributionAdapter({
    ...surroundings,
    provider,
    sessions,
    history: enabled
      ? {
          cluster,
          ...pastOf(history, cluster, historyLimitsOf(settings).keptNanos, surroundings.log),
          remember: rememberIn(history, cluster, surroundings.log),
        }
      : null,
    audit: settings.audit.enabled ? audit : null,
    render: { categories: settings.contract.categories },
    metrics: surroundings.metrics ?? silentMetrics,
    redact: createRedactor(settings.redaction),
    settings: {
      maxTimeoutMs: settings.deadline.maxTimeoutMs,
      maxAnalyses: settings.load.analyses,
      maxUnattributed: settings.reasoning.maxUnattributed,
      coverage: settings.contract.coverage,
      shadow,
    },
    serviceId: 'attribution-adapter',
    versionOf: corpusHash => serviceVersion(surroundings.packageVersion, corpusHash, shadow),
    randomId: randomIds(surroundings.clock, drawAhead(randomBytes)),
  });
  return {
    ...stores,
    adapter,
    async close() {
      await adapter.settled();
      await stores.close();
    },
  };
}
