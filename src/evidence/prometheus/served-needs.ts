import type { MetricNeed } from '../../core/ports.ts';
import type { Told } from '../log-store/log-store.ts';
import type { NamedNeed } from './family.ts';
import { partialAnswer } from './presence.ts';
import { selectorOfAny } from './queries.ts';
import type { Reading } from './reading.ts';
import type { PrometheusSettings } from './settings.ts';

/** Under which name a server has a metric that rules know; null where it is not to be asked for. */
function servedName({ metricNames }: PrometheusSettings, metric: string): string | null {
  return Object.hasOwn(metricNames, metric) ? (metricNames[metric] ?? null) : metric;
}

/** Needs that a server may be asked for, each with the name it has there. */
export function namedNeeds(settings: PrometheusSettings, needs: readonly MetricNeed[]): readonly NamedNeed[] {
  return needs.flatMap(need => {
    const served = servedName(settings, need.metric);
    return served === null ? [] : [{ ...need, served }];
  });
}

/** Needs whose metric the server has in the window; what it lacks is remarked. */
export async function servedNeeds(reading: Reading): Promise<Told<readonly NamedNeed[]>> {
  const { api, settings, window, signal, needs, remarks } = reading;
  const named = namedNeeds(settings, needs);
  if (named.length === 0) return { ok: true, value: [] };
  const selector = selectorOfAny([...new Set(named.map(({ served }) => served))], settings.matchers);
  const told = await api.values('__name__', selector, window, signal);
  if (!told.ok) return told;
  if (told.value.partial) return partialAnswer;
  const present = new Set(told.value.value);
  const missing = new Set(named.filter(({ served }) => !present.has(served)).map(({ served }) => served));
  if (missing.size > 0) remarks.add(`the server has no series of ${[...missing].sort().join(', ')}`);
  return { ok: true, value: named.filter(({ served }) => present.has(served)) };
}
