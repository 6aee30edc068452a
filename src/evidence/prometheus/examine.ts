import type { Clock, SourceCheck, SourceWants } from '../../core/ports.ts';
import { minute, type Nanos } from '../../core/time.ts';
import { hours } from '../asked.ts';
import { fail, firstAnswer, pass, warn } from '../checks.ts';
import type { PrometheusApi } from './api.ts';
import { enablingOf } from './enabling.ts';
import { type Family, familiesOf, representatives } from './family.ts';
import { countQuery, selectorOf, selectorOfAny } from './queries.ts';
import { namedNeeds } from './served-needs.ts';
import type { PrometheusSettings } from './settings.ts';

interface Examination {
  readonly settings: PrometheusSettings;
  readonly api: PrometheusApi;
  readonly now: Nanos;
  readonly signal: AbortSignal;
}

/** Metrics that are scraped less often may miss what a dying node says last. */
const longestInterval = 60;

/** Whether a server can be reached, names nodes, reaches back, and has the metrics that rules look at. */
export async function examinePrometheus(
  settings: PrometheusSettings,
  api: PrometheusApi,
  { metrics }: SourceWants,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly SourceCheck[]> {
  const now = clock.now();
  const examination = { settings, api, now, signal };
  const needs = namedNeeds(settings, metrics);
  if (needs.length === 0) return [fail('no rule looks at a metric that may be asked for: check metrics')];
  const selector = selectorOfAny([...new Set(needs.map(({ served }) => served))], settings.matchers);
  const span = { from: now - hours(1), to: now };
  const { told, check } = await firstAnswer(clock, () => api.values('__name__', selector, span, signal));
  if (!told.ok) return [check];
  const present = new Set(told.value.value);
  const found = needs.filter(({ served }) => present.has(served));
  const missing = new Set(needs.filter(({ served }) => !present.has(served)).map(({ served }) => served));
  const families = await Promise.all(familiesOf(found).map(family => examineFamily(examination, family)));
  return [
    check,
    ...(told.value.partial
      ? [warn('says that its answers are partial: a store behind it does not answer')]
      : []),
    ...(found.length === 0
      ? [fail('has none of the metrics that rules look at in the last hour', 'check url, tenant and matchers')]
      : []),
    ...families.flat(),
    ...missingChecks([...missing].sort()),
  ];
}

function missingChecks(missing: readonly string[]): readonly SourceCheck[] {
  return enablingOf(missing).map(({ where, lines }) => {
    const count = lines.length === 1 ? 'one metric is' : `${lines.length} metrics are`;
    return warn(`${count} missing that rules look at`, where, ...lines.map(line => `  ${line}`));
  });
}

async function examineFamily(examination: Examination, family: Family): Promise<readonly SourceCheck[]> {
  const [metric] = representatives(family, 1);
  if (metric === undefined) return [];
  const name = family.prefix === metric ? metric : `${family.prefix}_ metrics`;
  const [label, interval, back] = await Promise.all([
    labelCheck(examination, name, metric),
    intervalCheck(examination, name, metric),
    retentionCheck(examination, name, metric),
  ]);
  return [label, interval, back].flat();
}

/** Which label names nodes: the first with values wins, unless the operator says so. */
async function labelCheck(
  { settings, api, now, signal }: Examination,
  name: string,
  metric: string,
): Promise<readonly SourceCheck[]> {
  const span = { from: now - hours(1), to: now };
  const selector = selectorOf(metric, settings.matchers);
  const told = await Promise.all(
    settings.nodeLabels.map(async label => ({
      label,
      values: await api.values(label, selector, span, signal),
    })),
  );
  const found = told.flatMap(({ label, values }) =>
    values.ok && values.value.value.length > 0 ? [`${label} (${values.value.value.length} values)`] : [],
  );
  if (found.length > 0) return [pass(`${name}: nodes may be named by ${found.join(', ')}`)];
  return [
    fail(
      `${name}: no series has one of the labels ${settings.nodeLabels.join(', ')}`,
      'set nodeLabel to the label that holds the name of the node',
    ),
  ];
}

async function intervalCheck(
  { settings, api, now, signal }: Examination,
  name: string,
  metric: string,
): Promise<readonly SourceCheck[]> {
  const span = { from: now - 10n * minute, to: now };
  const query = `quantile(0.5, ${countQuery(metric, settings.matchers, ['instance', ...settings.nodeLabels, 'gpu'], span)})`;
  const told = await api.instant(query, now, signal);
  const samples = told.ok ? (told.value.value[0]?.value ?? 0) : Number.NaN;
  if (Number.isNaN(samples)) return [];
  if (samples <= 0) {
    return [warn(`${name}: no sample in the last 10 minutes`, 'check that its exporters are scraped')];
  }
  const seconds = Math.round(600 / samples);
  if (seconds <= longestInterval) return [pass(`${name}: a sample every ${seconds} s`)];
  return [
    warn(
      `${name}: a sample every ${seconds} s only`,
      `set scrape_interval to ${longestInterval}s or less for this job of Prometheus`,
    ),
  ];
}

async function retentionCheck(
  { settings, api, now, signal }: Examination,
  name: string,
  metric: string,
): Promise<readonly SourceCheck[]> {
  const { knownHours, matchers } = settings;
  const query = `count(${selectorOf(metric, matchers)})`;
  const told = await api.instant(query, now - hours(knownHours), signal);
  if (!told.ok) return [warn(`${name}: how far back samples reach could not be asked: ${told.trouble.reason}`)];
  if ((told.value.value[0]?.value ?? 0) > 0) return [pass(`${name}: samples reach back ${knownHours} h`)];
  return [
    warn(
      `${name}: no samples from ${knownHours} h ago`,
      'expected in the first hours; else raise --storage.tsdb.retention.time (or the limit of the store behind it)',
    ),
  ];
}
