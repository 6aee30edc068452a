import type { SampleMatch } from '../corpus/rule.ts';

/**
 * Where in a series of values a condition is first met, or null. `centre` is the `centreOf` all series of the metric.
 * NaN is stale and says nothing.
 */
export function matchSeries(match: SampleMatch, values: readonly number[], centre: number): number | null {
  const fresh = values.flatMap((value, index) => (Number.isNaN(value) ? [] : [{ value, index }]));
  const first = fresh[0];
  const last = fresh.at(-1);
  if (first === undefined || last === undefined) return null;
  const firstWhere = (meets: (value: number) => boolean): number | null =>
    fresh.find(({ value }) => meets(value))?.index ?? null;
  const { changed, to, increasedBy, above, below, awayFromMedianBy } = match;
  if (changed && to.length > 0) return firstWhere(value => value !== first.value && to.includes(value));
  if (changed) {
    if (last.value === first.value || last.value === 0) return null;
    return firstWhere(value => value !== first.value);
  }
  if (increasedBy !== null) return whereIncreased(fresh, increasedBy);
  if (above !== null) return firstWhere(value => value > above);
  if (below !== null) return firstWhere(value => value < below);
  if (awayFromMedianBy === null) return null;
  return Math.abs(medianOf(values) - centre) >= awayFromMedianBy ? last.index : null;
}

/** The median of the medians of all series of a metric: what is usual in the job. */
export function centreOf(series: readonly (readonly number[])[]): number {
  return medianOf(series.map(medianOf));
}

/** A counter that falls has been reset: only what it gained counts. */
function whereIncreased(
  fresh: readonly { readonly value: number; readonly index: number }[],
  by: number,
): number | null {
  let gained = 0;
  let previous: number | null = null;
  for (const { value, index } of fresh) {
    if (previous !== null && value > previous) gained += value - previous;
    if (gained >= by && gained > 0) return index;
    previous = value;
  }
  return null;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.filter(value => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
