import type { SampleBatch, SampleSeries } from '../../core/batch.ts';
import type { Window } from '../../core/time.ts';
import type { Trouble } from '../log-store/log-store.ts';
import { worse } from '../log-store/read-selection.ts';
import type { SeriesRow } from './answers.ts';
import type { Chosen } from './choose.ts';
import type { FamilyNodes, NamedNeed, Selection } from './family.ts';
import type { SamplePoint } from './points.ts';
import { partialAnswer } from './presence.ts';
import { anyOf, lastInstant, rangeOf, selectorOf } from './queries.ts';
import type { Reading } from './reading.ts';
import { halvesOf, naming } from './selections.ts';

/** What was read of one metric. */
export interface SeriesRead {
  readonly batches: readonly SampleBatch[];
  readonly samples: number;
  /** Nodes whose series did not come, with why. */
  readonly troubles: ReadonlyMap<string, Trouble>;
}

/** Reads the samples of one metric on the chosen nodes as they were stored. */
export async function readSeries(reading: Reading, { screened, nodes }: Chosen): Promise<SeriesRead> {
  const { need, found, centre } = screened;
  const { label } = found;
  if (label === null) return { batches: [], samples: 0, troubles: new Map() };
  const raws = [...found.wanted].flatMap(([raw, node]) => (nodes.includes(node) ? [raw] : []));
  const asked = await ask(reading, need, label, naming(label, raws, reading.settings.matchers));
  const series = seriesOf(reading, need, found, label, asked.rows);
  const batches = nodes.flatMap((node, sequence): readonly SampleBatch[] => {
    const own = series.filter(each => each.node === node);
    if (own.length === 0) return [];
    const query = ownQuery(reading, need, found, node);
    return [batchOf(reading, query, own, sequence, centre)];
  });
  const seen = new Set(series.map(each => each.node));
  const missing: Trouble = asked.trouble ?? {
    status: 'truncated',
    reason: `the server says that ${need.metric} moved, and returned no samples`,
    tooMuch: null,
  };
  const troubles = new Map(
    nodes
      .filter(node => !seen.has(node) || asked.trouble !== null)
      .map(node => [node, asked.trouble ?? missing]),
  );
  return { batches, samples: series.reduce((sum, { nanos }) => sum + nanos.length, 0), troubles };
}

async function ask(
  reading: Reading,
  need: NamedNeed,
  label: string,
  selection: Selection,
): Promise<{ readonly rows: readonly SeriesRow[]; readonly trouble: Trouble | null }> {
  const { api, settings, window, signal } = reading;
  const query = `${selectorOf(need.served, selection.matchers)}${rangeOf(window)}`;
  const told = await api.samples(query, lastInstant(window), signal);
  if (told.ok) {
    return { rows: told.value.value, trouble: told.value.partial ? partialAnswer.trouble : null };
  }
  const halves = told.trouble.tooMuch === null ? null : halvesOf(selection, label, settings.matchers);
  if (halves === null) return { rows: [], trouble: told.trouble };
  const both = await Promise.all(halves.map(half => ask(reading, need, label, half)));
  return {
    rows: both.flatMap(({ rows }) => rows),
    trouble: both.reduce<Trouble | null>((worst, { trouble }) => worse(worst, trouble), null),
  };
}

/** Series in the window, each once, its samples in the order of time. Rules know the metric by its own name. */
function seriesOf(
  { window, remarks }: Reading,
  need: NamedNeed,
  { wanted }: FamilyNodes,
  label: string,
  rows: readonly SeriesRow[],
): readonly SampleSeries[] {
  const series = new Map<string, SampleSeries>();
  for (const { labels, points, dropped } of rows) {
    const node = wanted.get(labels[label] ?? '') ?? null;
    if (dropped > 0) remarks.add(`${need.metric}: some samples could not be read`);
    if (node === null) {
      remarks.add(`${need.metric}: the server returned series that nobody asked for`);
      continue;
    }
    const key = JSON.stringify(Object.entries(labels).sort());
    if (series.has(key)) {
      remarks.add(`${need.metric}: the server returned a series twice; it counts once`);
      continue;
    }
    const kept = inOrder(points, window);
    if (kept.length < points.length) {
      remarks.add(`${need.metric}: samples from outside the window, or twice at one time, were left out`);
    }
    if (kept.length === 0) continue;
    series.set(key, {
      metric: need.metric,
      labels,
      node,
      nanos: kept.map(({ nanos }) => nanos),
      values: kept.map(({ value }) => value),
    });
  }
  return [...series.values()];
}

/** Older servers also return a sample at the open end of the range. */
function inOrder(points: readonly SamplePoint[], { from, to }: Window): readonly SamplePoint[] {
  const sorted = points
    .filter(({ nanos }) => nanos >= from && nanos < to)
    .sort((a, b) => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0));
  return sorted.filter(({ nanos }, index) => nanos !== sorted[index - 1]?.nanos);
}

/** Asked at the stamp of a sample, it returns the sample. */
function ownQuery(
  { settings }: Reading,
  need: NamedNeed,
  { label, wanted }: FamilyNodes,
  node: string,
): string {
  const raws = [...wanted].flatMap(([raw, of]) => (of === node ? [raw] : []));
  return selectorOf(need.served, [...settings.matchers, anyOf(label ?? '', raws)]);
}

function batchOf(
  { settings }: Reading,
  query: string,
  series: readonly SampleSeries[],
  sequence: number,
  centre: number | null,
): SampleBatch {
  return {
    kind: 'samples',
    header: {
      source: settings.name,
      origin: 'exporter',
      format: 'prometheus',
      node: null,
      stream: query,
      sequence,
      firstLine: 1,
      dating: { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null },
    },
    query,
    series,
    ...(centre === null ? {} : { centre }),
  };
}
