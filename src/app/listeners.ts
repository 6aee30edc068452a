import { randomBytes } from 'node:crypto';
import type { AttributionAdapter } from '../adapter/attribute.ts';
import { createAttributors } from '../adapter/attributors.ts';
import type { Settings } from '../config/settings.ts';
import type { Provider } from '../core/ports.ts';
import { namedNodes } from '../history/named-nodes.ts';
import { type AttributorServer, createAttributorServer } from '../http/attributor-server.ts';
import { type Guard, unguarded } from '../http/guarded-listener.ts';
import { createPublicServer, type PublicServer } from '../http/public-server.ts';
import { drawAhead, randomIds } from '../sessions/session-id.ts';
import { silentMetrics } from '../telemetry/silent-metrics.ts';
import type { OpenAdapter } from './adapter.ts';
import { ownId, type Surroundings } from './surroundings.ts';

/** The listener for clients that push their logs, over the adapter's own stores. */
export function openAttributorServer(
  settings: Settings,
  provider: Provider,
  { adapter, sessions, records, history }: OpenAdapter,
  surroundings: Surroundings,
  guard: Guard = unguarded,
): AttributorServer {
  const { prefix, timeoutMs, bodyLimitBytes } = settings.attributor;
  const attributors = createAttributors({
    ...surroundings,
    adapter,
    provider,
    sessions,
    records,
    settings: { timeoutMs, mostBytes: bodyLimitBytes },
    randomId: randomIds(surroundings.clock, drawAhead(randomBytes)),
  });
  const search = settings.history.enabled
    ? namedNodes(history, surroundings.clock)
    : async () => ({ hits: [], total: 0, isTotalExact: true });
  return createAttributorServer({
    attributors,
    search,
    log: surroundings.log,
    clock: surroundings.clock,
    prefix,
    bodyLimitBytes,
    instanceId: ownId(surroundings),
    guard,
    ...(surroundings.tracer === undefined ? {} : { tracer: surroundings.tracer }),
  });
}

/** The listener of the contract. */
export function openPublicServer(
  settings: Settings,
  adapter: AttributionAdapter,
  { log, metrics = silentMetrics, tracer }: Surroundings,
  guard: Guard,
): PublicServer {
  const { naiveDatetimes, echoInput, categories } = settings.contract;
  const { requests, requestsPerCaller, bodyLimitBytes, bodiesMegabytes } = settings.load;
  return createPublicServer({
    adapter: async () => adapter,
    log,
    metrics,
    ...(tracer === undefined ? {} : { tracer }),
    tls: guard.tls,
    settings: {
      parse: { naiveDatetimes, echoInput },
      render: { categories },
      maxTimeoutMs: settings.deadline.maxTimeoutMs,
      bodyLimitBytes,
      callers: guard.callers,
      load: {
        mostRequests: requests,
        mostPerCaller: requestsPerCaller,
        mostBytes: bodiesMegabytes * 1024 * 1024,
      },
    },
  });
}
