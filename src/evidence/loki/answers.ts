import { coverageStatusOf, type HttpFailure, withoutRemedy } from '../http-client/failure.ts';
import { isWarned, noAnswer } from '../log-store/error-answer.ts';
import { type Told, trouble } from '../log-store/log-store.ts';

/** One entry as a server returned it. */
export interface LokiEntry {
  readonly nanos: bigint;
  readonly text: string;
  /** What the entry, not its stream, carries besides its line. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface LokiStream {
  readonly labels: Readonly<Record<string, string>>;
  readonly entries: readonly LokiEntry[];
}

export interface LokiStreams {
  readonly streams: readonly LokiStream[];
  /** Entries that could not be read. */
  readonly broken: number;
  /** The server says that this is not all. */
  readonly partial: boolean;
}

/** Streams of a `query_range` answer. Stamps are kept to the nanosecond. */
export function readStreams(answer: unknown): Told<LokiStreams> {
  const data = dataOf(answer);
  const result = member(data, 'result');
  if (member(data, 'resultType') !== 'streams' || !Array.isArray(result)) return noAnswer(answer);
  let broken = 0;
  const streams = result.map((item: unknown): LokiStream => {
    const values = member(item, 'values');
    const list: readonly unknown[] = Array.isArray(values) ? values : [];
    const entries = list.flatMap(value => entryOf(value) ?? []);
    broken += list.length - entries.length;
    return { labels: stringsOf(member(item, 'stream')), entries };
  });
  return { ok: true, value: { streams, broken, partial: isPartial(answer) } };
}

/** Counts of an instant query by the value of a label; without label under the empty name. */
export function readCounts(answer: unknown, label: string | null): Told<ReadonlyMap<string, number>> {
  const data = dataOf(answer);
  const result = member(data, 'result');
  if (member(data, 'resultType') !== 'vector' || !Array.isArray(result)) return noAnswer(answer);
  const counts = new Map<string, number>();
  for (const item of result as readonly unknown[]) {
    const name = label === null ? '' : stringsOf(member(item, 'metric'))[label];
    const pair = member(item, 'value');
    const written: unknown = Array.isArray(pair) ? pair[1] : null;
    const count = typeof written === 'string' ? Number(written) : Number.NaN;
    if (!Number.isFinite(count)) return noAnswer(answer);
    if (name === undefined) continue;
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  if (isPartial(answer)) return trouble('truncated', 'the server says that its answer is partial', 'nodes');
  return { ok: true, value: counts };
}

/** A list of names of labels, or of values of one; null where there is none. */
export function readNames(answer: unknown): Told<readonly string[]> {
  const data = dataOf(answer);
  if (isPartial(answer)) return trouble('truncated', 'the server says that its answer is partial');
  if (data === null || data === undefined) {
    return member(answer, 'status') === 'success' ? { ok: true, value: [] } : noAnswer(answer);
  }
  if (!Array.isArray(data)) return noAnswer(answer);
  return { ok: true, value: data.filter(name => typeof name === 'string') };
}

/** What a server says with a refusal that can be acted on. */
export interface LearnedLimits {
  /** Most entries of one answer. */
  readonly entries?: number;
  /** Longest query in bytes. */
  readonly queryBytes?: number;
  /** Most series of one answer. */
  readonly series?: number;
}

/** Limits as the texts of refusals tell them. */
export function limitsIn({ status, body }: HttpFailure): LearnedLimits {
  if (status !== 400 && status !== 422 && status !== 500) return {};
  const entries = numberIn(/max entries limit per query exceeded[^()]{0,80}\(\d{1,12} > (\d{1,12})\)/, body);
  const tooLong = numberIn(/input size too long \(\d{1,12} > (\d{1,12})\)/, body);
  const series = numberIn(/maximum (?:number )?of series \((\d{1,12})\)/, body);
  return {
    ...(entries === null ? {} : { entries }),
    // The limit itself is refused, too.
    ...(tooLong === null ? {} : { queryBytes: tooLong - 1 }),
    ...(series === null ? {} : { series }),
  };
}

/** Trouble for a failed request, with what to ask for less of where the server told. */
export function troubleOf(failed: HttpFailure): ReturnType<typeof trouble> {
  const limits = limitsIn(failed);
  const reason = `the server ${withoutRemedy(failed)}`;
  if (limits.queryBytes !== undefined) return trouble('failed', `${reason}: the query is too long`, 'nodes');
  if (limits.series !== undefined) return trouble('truncated', `${reason}: too many series`, 'nodes');
  if (failed.status === 400 && failed.body.includes('query time range exceeds the limit')) {
    return trouble('truncated', `${reason}: the window is longer than max_query_length`, 'time');
  }
  return trouble(coverageStatusOf(failed), `the server ${failed.message}`);
}

function numberIn(pattern: RegExp, text: string): number | null {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

function isPartial(answer: unknown): boolean {
  return isWarned(answer, null);
}

function dataOf(answer: unknown): unknown {
  return member(answer, 'status') === 'success' ? member(answer, 'data') : undefined;
}

function entryOf(value: unknown): LokiEntry | null {
  if (!Array.isArray(value)) return null;
  const [stamp, text, more] = value as readonly unknown[];
  if (typeof stamp !== 'string' || !/^\d{1,19}$/.test(stamp) || typeof text !== 'string') return null;
  return { nanos: BigInt(stamp), text, metadata: stringsOf(member(more, 'structuredMetadata')) };
}

function stringsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
