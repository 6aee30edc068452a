import { createReadiness, type Readiness } from '../adapter/readiness.ts';
import { reopenPushed } from '../adapter/reopen-pushed.ts';
import type { Settings } from '../config/settings.ts';
import type { Provider } from '../core/ports.ts';
import { answersRoute } from '../http/answers-route.ts';
import type { Guard } from '../http/guarded-listener.ts';
import { livezRoute, readyzRoute } from '../http/health-routes.ts';
import { historyRoute } from '../http/history-route.ts';
import { type MetricsText, metricsRoute } from '../http/metrics-route.ts';
import { createOperationsServer, type OperationsServer } from '../http/operations-server.ts';
import { pushedRoute } from '../http/pushed-route.ts';
import { createRedactor } from '../redaction/redactor.ts';
import type { OpenAdapter } from './adapter.ts';
import type { Surroundings } from './surroundings.ts';

export interface OpenOperations extends OperationsServer {
  readonly readiness: Readiness;
}

/** Where the operations listener is to be, as it was written; null where it is off. */
export function operationsAddress({ listen }: Settings): string | null {
  return listen.operations === 'off' ? null : listen.operations;
}

/** The listener for those who run the service. Each of its routes is one line of the list. */
export function openOperationsServer(
  settings: Settings,
  provider: Provider,
  open: OpenAdapter,
  { clock, log }: Surroundings,
  metrics: MetricsText,
  guard: Guard,
): OpenOperations {
  const readiness = createReadiness({ provider, proveStore: open.prove, clock });
  const routes = [
    livezRoute,
    readyzRoute(readiness),
    metricsRoute(metrics),
    historyRoute(settings.history.enabled ? open.history : null),
    answersRoute(settings.audit.enabled ? open.audit : null),
    pushedRoute({
      reopen: place => reopenPushed(open.records, place),
      redact: createRedactor(settings.redaction),
    }),
  ];
  return { ...createOperationsServer({ routes, log, guard }), readiness };
}
