import type { Instant, Nanos } from './time.ts';

/** How far a line can be trusted follows from where it came from, never from what it says. */
export type Origin = 'kernel' | 'scheduler' | 'exporter' | 'health' | 'job';

/** Where the bytes of a batch come from. A `stream` is one ordered sequence: a file, or one label set of a log store. */
export interface BatchHeader {
  /** The configured name of the source. */
  readonly source: string;
  readonly origin: Origin;
  /** A name from `lines/formats`, or `auto`. */
  readonly format: string;
  /** The node whose own log this is, where transport or layout says so. */
  readonly node: string | null;
  /**
   * What the machine of `node` calls itself in its lines, where that is neither its name nor a spelling of it. Null:
   * nothing else, so that a line which names another host is of that host. Absent: the source did not look.
   */
  readonly hostAlias?: string | null;
  /** A path, or a query and label set: unique within the source, and what a reference quotes. */
  readonly stream: string;
  /** Counts the batches of one stream from 0. */
  readonly sequence: number;
  /** Number of the first line in `bytes`, from 1, context lines included. */
  readonly firstLine: number;
  /** What is needed to date lines that carry no zone, no year or only a boot time. */
  readonly dating: Dating;
  /** Where the lines are entries of a store: what is needed to ask for one of them again. */
  readonly entries?: StoreEntries;
}

/** Lines that a store returned, each with the stamp that the store keeps of it. */
export interface StoreEntries {
  /** Asked again at a line's stamp, it returns the entry: what a reference quotes. */
  readonly query: string;
  /** Nanoseconds, one a line of `bytes` from `firstLine` on, context lines included. */
  readonly stamps: BigInt64Array;
  /** Where the entries are kept and can be opened by their line: what a reference quotes in place of the query. */
  readonly kept?: { readonly path: string; readonly linesBefore: number };
  /** Set where the stamps only number the lines: how far from the truth they may be. A line's own time then counts first. */
  readonly approximate?: bigint;
}

/** How stamps of one stream are to be read. */
export interface Dating {
  /** IANA zone for stamps without one; `assumed` when nobody configured it. */
  readonly zone: string;
  readonly zoneAssumed: boolean;
  /** Year for stamps without one, from the window; null where unknown. */
  readonly year: number | null;
  /** Wall-clock nanoseconds of the kernel's zero for `[12345.678]`, where known. */
  readonly bootNanos: bigint | null;
  /** An instant near which the lines were written; decides the year across New Year, where `year` alone cannot. */
  readonly near?: bigint | null;
}

/**
 * Text of one stream: `bytes[0, length)` is cut at line ends. Lines that start in `[ownFrom, ownTo)` belong to this
 * batch; what lies around them repeats neighbours, so that multi-line rules see their reach (at most 64 lines and
 * 64 KiB on each side). At most 1 MiB are own bytes. The ArrayBuffer is transferable and comes from a recycled pool.
 */
export interface LineBatch {
  readonly kind: 'lines';
  readonly header: BatchHeader;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly length: number;
  readonly ownFrom: number;
  readonly ownTo: number;
}

/** One series of one metric: parallel arrays of stamps and values, NaN meaning stale. */
export interface SampleSeries {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly node: string | null;
  readonly nanos: readonly bigint[];
  readonly values: readonly number[];
}

export interface SampleBatch {
  readonly kind: 'samples';
  readonly header: BatchHeader;
  readonly query: string;
  readonly series: readonly SampleSeries[];
  /** Median of the medians of all series of the job, where `series` of one metric holds only those that stand out. */
  readonly centre?: number;
}

/** One fact that a scheduler or a health check states about a job, a node or a check. */
export interface StateRow {
  readonly entity: 'job' | 'node' | 'check';
  /** Job or step id, node name, or name of the check. */
  readonly name: string;
  readonly node: string | null;
  /** `state`, `reason`, `exit_code`, `verdict`, ... */
  readonly field: string;
  readonly value: string;
  readonly instant: Instant;
  /** Under which its store returns it, where that is not the instant. */
  readonly stamp?: Nanos;
  /** Line of the stream that states it, from 1. */
  readonly line: number;
  /** The text as it stands in the source, for quoting. */
  readonly text: string;
}

export interface StateBatch {
  readonly kind: 'states';
  readonly header: BatchHeader;
  /** What returns the rows again, where they come from a server and not from lines of a file. */
  readonly query?: string;
  readonly rows: readonly StateRow[];
}

export type Batch = LineBatch | SampleBatch | StateBatch;
