import type { MetricNeed } from '../../core/ports.ts';
import { millisecond, type Nanos, type Window } from '../../core/time.ts';
import { escapePattern, type Matcher, writeMatcher } from '../log-store/matchers.ts';

/** `metric{matchers}`. */
export function selectorOf(metric: string, matchers: readonly Matcher[]): string {
  return `${metric}{${matchers.map(writeMatcher).join(',')}}`;
}

/** Series whose name is one of these. */
export function selectorOfAny(metrics: readonly string[], matchers: readonly Matcher[]): string {
  return `{${[anyOf('__name__', metrics), ...matchers].map(writeMatcher).join(',')}}`;
}

/** `[1020s]`: the length of a window as a range. */
export function rangeOf({ from, to }: Window): string {
  const millis = (to - from) / 1_000_000n;
  return millis % 1000n === 0n ? `[${millis / 1000n}s]` : `[${millis}ms]`;
}

/** Where a range of the window's length ends: servers keep milliseconds, and the window's end is not part of it. */
export function lastInstant({ to }: Window): Nanos {
  return to - millisecond;
}

/** A label has one of these values. */
export function anyOf(label: string, values: readonly string[]): Matcher {
  const [only] = values;
  return only !== undefined && values.length === 1
    ? { label, operator: '=', value: only }
    : { label, operator: '=~', value: values.map(escapePattern).join('|') };
}

/** A label has none of these values. */
export function noneOf(label: string, values: readonly string[]): Matcher {
  return { ...anyOf(label, values), operator: values.length === 1 ? '!=' : '!~' };
}

/** Samples in the window by the values of labels. */
export function countQuery(
  metric: string,
  matchers: readonly Matcher[],
  labels: readonly string[],
  window: Window,
): string {
  return `sum by (${labels.join(', ')}) (count_over_time(${selectorOf(metric, matchers)}${rangeOf(window)}))`;
}

/**
 * Series that had a number in the window, by the values of labels: one that sent nothing but NaN says nothing. Of `up`
 * the scrapes that succeeded, since what a scrape that failed leaves there is no sample.
 */
export function presenceQuery(
  metric: string,
  matchers: readonly Matcher[],
  labels: readonly string[],
  window: Window,
): string {
  const range = `${selectorOf(metric, matchers)}${rangeOf(window)}`;
  const by = labels.join(', ');
  if (isLiveness(metric)) return `sum by (${by}) (sum_over_time(${range}))`;
  return `count by (${by}) (max_over_time(${range}) >= -Inf)`;
}

/** Series that still have samples at an instant, by the values of labels. */
export function livenessQuery(metric: string, matchers: readonly Matcher[], labels: readonly string[]): string {
  const alive = isLiveness(metric) ? ' == 1' : '';
  return `count by (${labels.join(', ')}) (${selectorOf(metric, matchers)}${alive})`;
}

/** The metric that a server writes itself for each scrape. */
export function isLiveness(metric: string): boolean {
  return metric === 'up';
}

/** The job's median: of each series' median the median. */
export function centreQuery(metric: string, matchers: readonly Matcher[], window: Window): string {
  return `quantile(0.5, ${medianOf(metric, matchers, window)})`;
}

/** The job's median at one instant, for a server that may not load a window of it. */
export function presentCentreQuery(metric: string, matchers: readonly Matcher[]): string {
  return `quantile(0.5, ${selectorOf(metric, matchers)})`;
}

function medianOf(metric: string, matchers: readonly Matcher[], window: Window): string {
  return `quantile_over_time(0.5, ${selectorOf(metric, matchers)}${rangeOf(window)})`;
}

/**
 * Nodes with a series that may meet a need, the furthest `limit` of them. It may return more than rules take, never
 * less: `increase` extends what was gained to the whole window.
 */
export function screenQuery(
  need: Pick<MetricNeed, 'when' | 'threshold'>,
  metric: string,
  matchers: readonly Matcher[],
  label: string,
  window: Window,
  centre: number,
  limit: number,
): string {
  const range = `${selectorOf(metric, matchers)}${rangeOf(window)}`;
  const most = (inner: string, condition: string): string =>
    `topk(${limit}, max by (${label}) (${inner}) ${condition})`;
  switch (need.when) {
    case 'changed':
      return most(`changes(${range})`, '> 0');
    case 'increased_by':
      return most(`increase(${range})`, need.threshold > 0 ? `>= ${need.threshold}` : '> 0');
    case 'above':
      return most(`max_over_time(${range})`, `> ${need.threshold}`);
    case 'below':
      return `bottomk(${limit}, min by (${label}) (min_over_time(${range})) < ${need.threshold})`;
    case 'away_from_median_by':
      return most(`abs(${medianOf(metric, matchers, window)} - ${signed(centre)})`, `>= ${need.threshold}`);
  }
}

function signed(number: number): string {
  return number < 0 ? `(${number})` : String(number);
}
