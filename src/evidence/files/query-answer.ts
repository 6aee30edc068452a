import type { SampleSeries } from '../../core/batch.ts';
import { labelsOf, member, pointOf } from '../prometheus/points.ts';

/** Labels under which exporters name the node, the most trustworthy first. */
const nodeLabels = ['Hostname', 'hostname', 'nodename', 'node', 'kubernetes_node', 'host', 'instance'];

export type QueryAnswer =
  | {
      readonly ok: true;
      readonly series: readonly SampleSeries[];
      readonly points: number;
      readonly dropped: number;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a saved answer of Prometheus' `query_range` (or `query`). Series without a name are called by `fallbackName`,
 * the file's. Points that are no number and stamp are dropped and counted.
 */
export function parseQueryAnswer(text: string, fallbackName: string): QueryAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'it is no JSON' };
  }
  const data = member(answer, 'data');
  const result = member(data, 'result');
  if (member(answer, 'status') !== 'success' || !Array.isArray(result)) {
    return { ok: false, reason: 'it is no successful answer of query_range' };
  }
  let points = 0;
  let dropped = 0;
  const series = result.flatMap((item: unknown): readonly SampleSeries[] => {
    const labels = labelsOf(member(item, 'metric'));
    const pairs = pairsOf(item);
    const good = pairs.flatMap(pair => pointOf(pair) ?? []);
    points += good.length;
    dropped += pairs.length - good.length;
    return [
      {
        metric: labels['__name__'] ?? fallbackName,
        labels,
        node: nodeOf(labels),
        nanos: good.map(point => point.nanos),
        values: good.map(point => point.value),
      },
    ];
  });
  return { ok: true, series, points, dropped };
}

function pairsOf(item: unknown): readonly unknown[] {
  const values = member(item, 'values');
  if (Array.isArray(values)) return values;
  const value = member(item, 'value');
  return value === undefined ? [] : [value];
}

/** `instance` carries the port that was scraped. */
function nodeOf(labels: Readonly<Record<string, string>>): string | null {
  const label = nodeLabels.find(name => (labels[name] ?? '') !== '');
  if (label === undefined) return null;
  const name = labels[label] ?? '';
  return label === 'instance' ? name.replace(/:\d{1,5}$/, '') : name;
}
