import { coverageStatusOf, type HttpFailure, withoutRemedy } from '../http-client/failure.ts';
import { isWarned, noAnswer } from '../log-store/error-answer.ts';
import { type Told, trouble } from '../log-store/log-store.ts';
import { labelsOf, member, pointOf, type SamplePoint } from './points.ts';

export type Labels = Readonly<Record<string, string>>;

/** One value a series, at one instant. */
export interface InstantRow {
  readonly labels: Labels;
  readonly value: number;
}

/** The samples of one series. */
export interface SeriesRow {
  readonly labels: Labels;
  readonly points: readonly SamplePoint[];
  /** Points that could not be read. */
  readonly dropped: number;
}

export interface Answered<T> {
  readonly value: T;
  /** The server says that this may not be all. */
  readonly partial: boolean;
}

/** An instant vector, or a single number as a vector of one row without labels. */
export function readVector(answer: unknown): Told<Answered<readonly InstantRow[]>> {
  const data = dataOf(answer);
  const result = member(data, 'result');
  if (member(data, 'resultType') !== 'vector' || !Array.isArray(result)) return noAnswer(answer);
  const rows: InstantRow[] = [];
  for (const item of result as readonly unknown[]) {
    const point = pointOf(member(item, 'value'));
    if (point === null) return noAnswer(answer);
    rows.push({ labels: labelsOf(member(item, 'metric')), value: point.value });
  }
  return { ok: true, value: { value: rows, partial: isPartial(answer) } };
}

/** A range of samples of each series. Native histograms have no numbers and are left out. */
export function readMatrix(answer: unknown): Told<Answered<readonly SeriesRow[]>> {
  const data = dataOf(answer);
  const result = member(data, 'result');
  if (member(data, 'resultType') !== 'matrix' || !Array.isArray(result)) return noAnswer(answer);
  const rows = (result as readonly unknown[]).map((item): SeriesRow => {
    const values = member(item, 'values');
    const pairs: readonly unknown[] = Array.isArray(values) ? values : [];
    const points = pairs.flatMap(pair => pointOf(pair) ?? []);
    return { labels: labelsOf(member(item, 'metric')), points, dropped: pairs.length - points.length };
  });
  return { ok: true, value: { value: rows, partial: isPartial(answer) } };
}

/** A list of names; null where there is none. */
export function readNames(answer: unknown): Told<Answered<readonly string[]>> {
  const data = dataOf(answer) ?? null;
  const partial = isPartial(answer);
  if (data === null && member(answer, 'status') === 'success')
    return { ok: true, value: { value: [], partial } };
  if (!Array.isArray(data)) return noAnswer(answer);
  return { ok: true, value: { value: data.filter(name => typeof name === 'string'), partial } };
}

/** Trouble for a failed request, with what to ask for less of where the server told. */
export function troubleOf(failed: HttpFailure): { readonly ok: false } & Told<never> {
  const reason = `the server ${withoutRemedy(failed)}`;
  const { status, body } = failed;
  const refused = status === 400 || status === 413 || status === 422 || status === 500;
  if (refused && /too many samples|max-samples|exceeded the (?:maximum|limit)|too large/i.test(body)) {
    return trouble('truncated', `${reason}: it would have to load too many samples`, 'nodes');
  }
  return trouble(coverageStatusOf(failed), `the server ${failed.message}`);
}

/** Remarks on how a query was meant concern no data; any other warning tells of stores that did not answer. */
function isPartial(answer: unknown): boolean {
  return isWarned(answer, /^PromQL/);
}

function dataOf(answer: unknown): unknown {
  return member(answer, 'status') === 'success' ? member(answer, 'data') : undefined;
}
