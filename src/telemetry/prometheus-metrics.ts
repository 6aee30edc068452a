import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricLabels, Metrics } from '../core/ports.ts';
import { type MetricDescription, metricList } from './metric-list.ts';

/** Metrics in the text format of Prometheus. */
export interface CollectedMetrics extends Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** Sets a gauge that has one series, whatever labels it had before. */
  replace(name: string, labels: MetricLabels, value: number): void;
}

/** Metrics of the list and of the process. A name that is not on the list is a bug and throws. */
export function prometheusMetrics(): CollectedMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = of('counter', options => new Counter(options));
  const gauges = of('gauge', options => new Gauge(options));
  const histograms = of('histogram', options => new Histogram(options));

  function of<Metric>(
    kind: MetricDescription['kind'],
    make: (options: Options) => Metric,
  ): Map<string, Metric> {
    const chosen = Object.entries(metricList).filter(([, metric]) => metric.kind === kind);
    return new Map(
      chosen.map(([name, { help, labels, buckets }]) => [
        name,
        make({
          name,
          help,
          labelNames: [...labels],
          registers: [registry],
          ...(buckets === undefined ? {} : { buckets: [...buckets] }),
        }),
      ]),
    );
  }

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    count: (name, labels, by = 1) => known(counters, name).inc(labels, by),
    set: (name, labels, value) => known(gauges, name).set(labels, value),
    replace(name, labels, value) {
      const gauge = known(gauges, name);
      gauge.reset();
      gauge.set(labels, value);
    },
    observe: (name, labels, value) => known(histograms, name).observe(labels, value),
  };
}

interface Options {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
  readonly buckets?: number[];
}

function known<Metric>(metrics: ReadonlyMap<string, Metric>, name: string): Metric {
  const metric = metrics.get(name);
  if (metric === undefined) throw new Error(`there is no metric ${name} of this kind`);
  return metric;
}
