import type { StateRow } from '../../core/batch.ts';
import { before, type Instant, minute } from '../../core/time.ts';
import { parseLine } from '../formats/line-formats.ts';
import { isHostOf } from '../host-names.ts';
import type { LineDating, ParsedLine } from '../line.ts';
import { quote, undated } from '../slurm/state-table.ts';
import { dateIso } from '../stamp-dating.ts';
import { type FoundDocument, findDocuments } from './find-documents.ts';
import type { CheckResult } from './health-document.ts';
import { healthMarkers, readHealthDocument } from './health-documents.ts';

/** What the documents in a log of health checks state. */
export interface CheckRows {
  readonly rows: readonly StateRow[];
  /** The log with every document that was read put into a word: its rating decides, not its wording. */
  readonly lines: readonly string[];
  /** Why documents that seem to be of health checks were not read, a sentence each. */
  readonly lost: readonly string[];
}

export interface CheckLog {
  readonly lines: readonly string[];
  /** A name of `lines/formats`, or `auto`. */
  readonly format: string;
  readonly dating: LineDating;
  /** Whose log it is, where transport tells. */
  readonly node: string | null;
  /** When a line was written, where its store tells: then this is what its reference quotes. */
  readonly stampOf?: (line: number) => Instant | null;
}

/** Stands in the place of a document's lines: it is text, and no rule's. */
const inPlace = '{}';
const quotedMarkers = healthMarkers.map(marker => `"${marker}`);
/** No further are lines before a document asked when it was written. */
const mostLinesBack = 64;

/** Reads the documents of health checks in a log, and leaves every other line as it is. */
export function readChecks(log: CheckLog): CheckRows {
  if (!log.lines.some(line => healthMarkers.some(marker => line.includes(marker)))) {
    return { rows: [], lines: log.lines, lost: [] };
  }
  const parse = (line: string): ParsedLine => parseLine(log.format, line.slice(0, 4096), log.dating);
  const { found, lost } = findDocuments(log.lines, line => parse(line).messageAt);
  const rows: StateRow[] = [];
  let foreign = false;
  const lines = [...log.lines];
  for (const document of found) {
    const report = readHealthDocument(document.value);
    if (report === null) continue;
    const { host } = parse(log.lines[document.from] ?? '');
    const writer = writerOf(log.node, host);
    if (writer !== null && report.node !== null && !isHostOf(report.node, writer, undefined)) {
      if (report.results.length > 0) foreign = true;
    } else rows.push(...rowsOf(log, document, report.results, writer ?? report.node));
    for (let at = document.from; at < document.to; at += 1) {
      const line = lines[at] ?? '';
      // What stands before a document, such as the name of the check that printed it, is no part of it.
      const kept = at === document.from ? document.column : parse(line).messageAt;
      lines[at] = `${line.slice(0, kept)}${inPlace}`;
    }
  }
  const marked = markedLines(log.lines);
  const ofChecks = lost.filter(({ from, to }) => marked.some(at => at >= from && at < to));
  const reasons = [...ofChecks.map(({ reason }) => reason), ...(foreign ? [aboutAnother] : [])];
  return { rows, lines, lost: [...new Set(reasons)].sort() };
}

/** What one machine says of another convicts neither. */
const aboutAnother = 'a JSON document is about another node than the one that wrote it, and counts for neither';

/** As the name of a member, or a value: a document says it in quotes. */
function markedLines(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line, at) => (quotedMarkers.some(marker => line.includes(marker)) ? [at] : []));
}

/** Transport before what a line names as its writer; a line of another host is its. */
function writerOf(own: string | null, host: string | null): string | null {
  if (own === null || host === null) return own ?? host;
  return isHostOf(host, own, undefined) ? own : host;
}

function rowsOf(
  log: CheckLog,
  document: FoundDocument,
  results: readonly CheckResult[],
  node: string | null,
): readonly StateRow[] {
  let from = document.from;
  return results.map(({ check, field, value, said, time }) => {
    const place = placeOf(log.lines, said, from, document) ?? placeOf(log.lines, said, document.from, document);
    const line = place?.line ?? document.from;
    from = line;
    const text = log.lines[line] ?? '';
    const stored = log.stampOf?.(line)?.nanos ?? null;
    return {
      entity: 'check',
      name: check,
      node,
      field,
      value,
      instant: instantOf(log, document.from, line, time),
      ...(stored === null ? {} : { stamp: stored }),
      line: line + 1,
      text: quote(text, Math.max(0, (place?.at ?? 0) - 512), 2048),
    };
  });
}

/** Where a document says something: the line, and the place in it. */
function placeOf(
  lines: readonly string[],
  said: string,
  from: number,
  { to }: FoundDocument,
): { readonly line: number; readonly at: number } | null {
  const needle = JSON.stringify(said.slice(0, 200)).slice(1, -1);
  for (let line = from; line < to; line += 1) {
    const at = (lines[line] ?? '').indexOf(needle);
    if (at >= 0) return { line, at };
  }
  return null;
}

/**
 * The stamp of the store or of the document's first line, else about when the lines before it were written, else its
 * place alone. What a document says counts where it tells of an earlier time: a check may report what it found long ago.
 */
function instantOf(log: CheckLog, first: number, line: number, time: string | null): Instant {
  const said = time === null ? null : dateIso(time, log.dating);
  const written = log.stampOf?.(line) ?? stampAt(log, first);
  if (written === null) return said ?? aboutWhen(log, first, line);
  return said?.basis === 'stamped' && before(said, written) === 'yes' ? said : written;
}

function stampAt(log: CheckLog, at: number): Instant | null {
  return parseLine(log.format, (log.lines[at] ?? '').slice(0, 4096), log.dating).instant;
}

function aboutWhen(log: CheckLog, first: number, line: number): Instant {
  const place = undated(log.dating, line + 1);
  for (let at = first - 1; at >= 0 && at >= first - mostLinesBack; at -= 1) {
    const earlier = stampAt(log, at);
    if (earlier?.nanos != null) {
      return { ...place, nanos: earlier.nanos, plusMinus: earlier.plusMinus + minute };
    }
  }
  return place;
}
