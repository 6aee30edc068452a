import type { StateRow } from '../../core/batch.ts';
import { before, type Instant, minute } from '../../core/time.ts';
import { parseLine } from '../formats/line-formats.ts';
import { isHostOf, isSameHost, isUnnamedHost } from '../host-names.ts';
import type { LineDating, ParsedLine } from '../line.ts';
import { quote, undated } from '../slurm/state-table.ts';
import { dateIso } from '../stamp-dating.ts';
import { type FoundDocument, findDocuments } from './find-documents.ts';
import type { CheckResult } from './health-document.ts';
import { healthMarkers, readHealthDocuments, tellingMarkers } from './health-documents.ts';

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
/** How far a clock of any zone is from UTC, and more. */
const widestOffset = 14n * 60n * minute;
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
  let unknown = false;
  const tellingLines = markedLines(log.lines, tellingMarkers);
  const lines = [...log.lines];
  for (const document of found) {
    const { reports, rest } = readHealthDocuments(document.value);
    if (rest > 0 && (reports.length > 0 || told(document, tellingLines))) unknown = true;
    if (reports.length === 0) continue;
    const { host } = parse(log.lines[document.from] ?? '');
    const writers = writersOf(log.node, host);
    const own = reports.filter(({ nodes, results }) => {
      const isOwn = areOf(nodes, writers);
      if (!isOwn && results.length > 0) foreign = true;
      return isOwn;
    });
    const facts = own.flatMap(({ nodes, results }) =>
      results.map(result => ({ result, node: writers[0] ?? nodes[0] ?? null })),
    );
    rows.push(...rowsOf(log, document, facts));
    for (let at = document.from; at < document.to; at += 1) {
      const line = lines[at] ?? '';
      // What stands before a document, such as the name of the check that printed it, is no part of it.
      const kept = at === document.from ? document.column : parse(line).messageAt;
      lines[at] = `${line.slice(0, kept)}${inPlace}`;
    }
  }
  const marked = markedLines(log.lines, healthMarkers);
  const ofChecks = lost.filter(part => told(part, marked));
  const reasons = [
    ...ofChecks.map(({ reason }) => reason),
    ...(foreign ? [aboutAnother] : []),
    ...(unknown ? [ofNoKnownForm] : []),
  ];
  return { rows, lines, lost: [...new Set(reasons)].sort() };
}

/** What one machine says of another convicts neither. */
const aboutAnother = 'a JSON document is about another node than the one that wrote it, and counts for neither';

const ofNoKnownForm =
  'a JSON document that seems to be of a health check has no form that is known, and was not read';

/** As the name of a member, or a value: a document says it in quotes. */
function markedLines(lines: readonly string[], markers: readonly string[]): readonly number[] {
  const quoted = markers.map(marker => `"${marker}`);
  return lines.flatMap((line, at) => (quoted.some(marker => line.includes(marker)) ? [at] : []));
}

function told(
  { from, to }: { readonly from: number; readonly to: number },
  marked: readonly number[],
): boolean {
  return marked.some(at => at >= from && at < to);
}

/** The names of whoever wrote a line: transport before what the line says; a line of another host is its. */
function writersOf(own: string | null, host: string | null): readonly string[] {
  if (own === null || host === null) return [own ?? host ?? []].flat();
  return isHostOf(host, own, undefined) ? [own, host] : [host];
}

/** Whether a document speaks of its writer alone; where nobody knows who that is, of one node. */
function areOf(nodes: readonly string[], writers: readonly string[]): boolean {
  const known = writers.length > 0 ? writers : nodes.slice(0, 1);
  return nodes.every(node => isUnnamedHost(node) || known.some(writer => isSameHost(node, writer)));
}

function rowsOf(
  log: CheckLog,
  document: FoundDocument,
  found: readonly { readonly result: CheckResult; readonly node: string | null }[],
): readonly StateRow[] {
  let from = document.from;
  return found.map(({ result: { check, field, value, said, time }, node }) => {
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
 * A time without a zone has to be earlier wherever it was written.
 */
function instantOf(log: CheckLog, first: number, line: number, time: string | null): Instant {
  const said = time === null ? null : dateIso(time, log.dating);
  const written = log.stampOf?.(line) ?? stampAt(log, first);
  if (written === null) return said ?? aboutWhen(log, first, line);
  if (said?.basis !== 'zone_assumed') return said !== null && before(said, written) === 'yes' ? said : written;
  const anywhere = { ...said, plusMinus: said.plusMinus + widestOffset, clock: `${said.clock}#any-zone` };
  return before(anywhere, written) === 'yes' ? anywhere : written;
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
