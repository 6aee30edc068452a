import type { OperationsRoute } from './operations-route.ts';

/** What a scraper reads. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

export function metricsRoute(metrics: MetricsText): OperationsRoute {
  return {
    path: '/metrics',
    answer: async () => ({ status: 200, contentType: metrics.contentType, body: await metrics.text() }),
  };
}
