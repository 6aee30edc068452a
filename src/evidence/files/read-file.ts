import { basename } from 'node:path';
import type { Batch, BatchHeader, Origin, StateRow } from '../../core/batch.ts';
import { isHostOf } from '../../lines/host-names.ts';
import { askedWindow } from '../coverage.ts';
import { type CheckedLog, readCheckDocuments } from './check-documents.ts';
import type { FileClass } from './classify.ts';
import { fileReader } from './file-reader.ts';
import { isJoined, ownerOfLog } from './host-alias.ts';
import { bootTimes, jobIn } from './job-record.ts';
import { judgedSpan } from './judged-span.ts';
import { lineBatches } from './line-batches.ts';
import { type OpenText, openText } from './open-text.ts';
import { type OwnLog, outsideOf, proofOfLines, withoutLost } from './prove-lines.ts';
import { parseQueryAnswer } from './query-answer.ts';
import { datingOf, type Reading } from './reading.ts';
import { lineDating } from './stream-dating.ts';
import type { EvidenceFile } from './survey.ts';
import { readTable, readWhole, type TableFormat } from './table-facts.ts';
import { proofOf } from './tally.ts';
import { findRange } from './window-range.ts';

/** JSON.parse holds the event loop; larger answers are to be asked for in parts. */
const largestAnswer = 64 * 1024 * 1024;
const rowsInBatch = 5000;
const seriesInBatch = 1000;

type StreamHeader = Omit<BatchHeader, 'sequence' | 'firstLine'>;

/** Reads one file to its end, or as far as its window, deadline and soundness allow; what was proved goes to the tally. */
export async function* readFile(file: EvidenceFile, reading: Reading): AsyncGenerator<Batch, void, void> {
  const { settings, signal, tally } = reading;
  const supposed: Origin = file.place === 'loose' ? 'job' : file.place;
  if (signal.aborted) {
    const reason = 'the deadline came before it was opened';
    tally.add({ ...nothingOf(file, supposed), status: 'timed_out', reason });
    return;
  }
  const text = await openText(file.found, settings, signal);
  if (text.kind !== 'text') {
    tally.remark(supposed, `not read: ${file.path}: ${text.reason}`);
    // Whatever lies about beside a job's text is no loss; anything else was expected to be read.
    if (text.kind === 'unlike-text' && supposed === 'job') return;
    tally.add({ ...nothingOf(file, supposed), status: 'failed', reason: text.reason });
    return;
  }
  let handedOn = false;
  try {
    const dating = datingOf(file, file.node, reading);
    const kind = await reading.classify(file, text.head, dating, reading.directory, signal);
    tellTrust(file, kind, reading);
    handedOn = true;
    if (kind.table !== null) yield* readStates(file, text, kind.table, reading);
    else if (kind.origin === 'exporter') yield* readSamples(file, text, reading);
    else yield* readLines(file, text, kind, reading);
  } finally {
    if (!handedOn) await text.reader.close();
  }
}

/** Says what a file was taken for where its place does not tell. */
function tellTrust(file: EvidenceFile, kind: FileClass, { settings, tally }: Reading): void {
  const { path, place, assumed } = file;
  if (kind.demoted !== null) tally.remark('job', `${path} counts as job text: ${kind.demoted}`);
  else if (assumed !== null) tally.assume('job', `taken for job text ${assumed}`, path);
  else if (place === 'loose' && settings.trust === 'command-line') {
    tally.assume(kind.origin, `taken for ${trustWords[kind.origin]} by what it holds`, path);
  }
}

const trustWords: Readonly<Record<Origin, string>> = {
  kernel: 'a kernel log',
  scheduler: 'text of the scheduler',
  exporter: 'metrics',
  health: 'a health check',
  job: 'job text',
};

async function* readLines(
  file: EvidenceFile,
  text: OpenText,
  kind: FileClass,
  reading: Reading,
): AsyncGenerator<Batch, void, void> {
  const { settings, tools, tally, directory } = reading;
  const { header, own } = await ownedHeader(file, text, kind, reading);
  const checked =
    kind.origin === 'health'
      ? yield* readChecked(text, header, reading)
      : { ...text, isForeign: false, lost: [] };
  if (checked.isForeign) {
    await checked.reader.close();
    const reason = 'its lines have no time, and name other jobs';
    tally.add({ ...nothingOf(file, kind.origin), status: 'unknown', reason });
    return;
  }
  const part = await windowPart(file, checked, header, reading);
  const { node, hostAlias } = header;
  const span = judgedSpan(kind.origin, reading.plan, reading.scheduler);
  const read = yield* lineBatches(part.reader, header, part.firstLine, settings.cut, tools.buffers, {
    isOwn: host => node === null || isHostOf(host, node, hostAlias) || isJoined(host, node, directory),
    mayJudge: reach => (span.from !== null || span.to !== null) && outsideOf(reach, span) === null,
  });
  const inTime = [...read.hosts].filter(([, reach]) => outsideOf(reach, span) === null);
  const seen = inTime.map(([host]) => joined(host, directory));
  const { lines, bytes } = read;
  const proof = withoutLost(proofOfLines(read, span, own), checked.lost);
  tally.add({ origin: kind.origin, node: kind.node, ...proof, lines, bytes, seen });
}

/** Reads what documents of health checks state, and returns the rest of the log. */
async function* readChecked(
  text: OpenText,
  header: StreamHeader,
  { plan, scheduler, settings }: Reading,
): AsyncGenerator<Batch, OpenText & Pick<CheckedLog, 'isForeign' | 'lost'>, void> {
  const job = jobIn(scheduler.rows, plan.request.workloadId, settings.trust)?.id ?? plan.request.workloadId;
  const base = /^\d+/.exec(job)?.[0] ?? null;
  const { reader, changed, ...told } = yield* readCheckDocuments(text.reader, header, base);
  return { ...text, reader, plain: changed ? null : text.plain, ...told };
}

/** A large plain file is read from where its window begins; everything else from its start. */
async function windowPart(
  file: EvidenceFile,
  text: OpenText,
  header: Pick<BatchHeader, 'origin' | 'format' | 'dating'>,
  { settings, plan, signal }: Reading,
): Promise<{ reader: OpenText['reader']; firstLine: number }> {
  const window = askedWindow(plan, header.origin);
  const { bytes } = file.found;
  const whole = { reader: text.reader, firstLine: 1 };
  if (text.plain === null || window === null || bytes < settings.bisectFromBytes) return whole;
  const range = await findRange(text.plain, bytes, window, header.format, header.dating, signal);
  if (range === null) return whole;
  return { reader: fileReader(text.plain, range, settings.readBytes, signal), firstLine: range.firstLine };
}

async function* readStates(
  file: EvidenceFile,
  text: OpenText,
  format: TableFormat,
  reading: Reading,
): AsyncGenerator<Batch, void, void> {
  const { settings, tally, scheduler, plan } = reading;
  const header = headerOf(file, 'scheduler', format, null, reading);
  const window = askedWindow(plan, 'scheduler');
  const table = await readTable(text, format, lineDating(header.dating, file.path), window);
  const { rows, lines, bytes, unread } = table;
  scheduler.rows.push(...rows);
  scheduler.boots = bootTimes(scheduler.rows);
  const job = jobIn(scheduler.rows, plan.request.workloadId, settings.trust);
  scheduler.jobStart = job?.start ?? null;
  scheduler.jobEnd = job?.end ?? null;
  if (table.ending?.status === 'failed') {
    tally.remark('scheduler', `not read: ${file.path}: ${table.ending.reason}`);
  }
  if (unread > 0) tally.remark('scheduler', `${file.path}: ${unread} lines or values could not be read safely`);
  const seen = nodesOf(rows, reading);
  tally.add({ origin: 'scheduler', node: null, ...proofOf(table.ending, lines), lines, bytes, seen });
  for (let from = 0, sequence = 0; from < rows.length; from += rowsInBatch, sequence++) {
    yield {
      kind: 'states',
      header: { ...header, sequence, firstLine: 1 },
      rows: rows.slice(from, from + rowsInBatch),
    };
  }
}

function nodesOf(rows: readonly StateRow[], { directory }: Reading): readonly string[] {
  const names = new Set(rows.filter(row => row.entity === 'node').map(row => row.name));
  return [...names].map(name => joined(name, directory));
}

async function* readSamples(
  file: EvidenceFile,
  text: OpenText,
  reading: Reading,
): AsyncGenerator<Batch, void, void> {
  const { tally, directory } = reading;
  const header = headerOf(file, 'exporter', 'query-range', null, reading);
  const { content, ending } = await readWhole(text, largestAnswer);
  const name = basename(file.path).replace(/\.json.*$/, '');
  const empty = { ...nothingOf(file, 'exporter'), bytes: content.length };
  if (ending !== null) {
    tally.add({ ...empty, status: ending.status, reason: ending.reason });
    return;
  }
  const answer = parseQueryAnswer(content.toString('utf8'), name);
  if (!answer.ok) {
    tally.remark('exporter', `not read: ${file.path}: ${answer.reason}`);
    tally.add({ ...empty, status: 'failed', reason: answer.reason });
    return;
  }
  const { series, points, dropped } = answer;
  if (dropped > 0) tally.remark('exporter', `${file.path}: ${dropped} points are no number`);
  const nodes = series.filter(one => one.values.length > 0).flatMap(one => one.node ?? []);
  const seen = [...new Set(nodes)].map(node => joined(node, directory));
  tally.add({ ...empty, ...proofOf(null, points), lines: points, seen });
  for (let from = 0, sequence = 0; from < series.length; from += seriesInBatch, sequence++) {
    const part = series.slice(from, from + seriesInBatch);
    yield { kind: 'samples', header: { ...header, sequence, firstLine: 1 }, query: file.path, series: part };
  }
}

function joined(name: string, directory: Reading['directory']): string {
  const match = directory.resolve(name);
  return match.kind === 'one' ? match.node : name;
}

function headerOf(
  file: EvidenceFile,
  origin: Origin,
  format: string,
  node: string | null,
  reading: Reading,
): StreamHeader {
  const dating = datingOf(file, node, reading);
  return { source: reading.settings.name, origin, format, node, stream: file.path, dating };
}

/**
 * The header of a file of lines; of a node's own log with what the node calls itself. Health checks write freely, and
 * what stands where a host would is often none.
 */
async function ownedHeader(
  file: EvidenceFile,
  text: OpenText,
  kind: FileClass,
  reading: Reading,
): Promise<{ readonly header: StreamHeader; readonly own: OwnLog | null }> {
  const { origin, format, node } = kind;
  const header = headerOf(file, origin, format, node, reading);
  if (node === null) return { header, own: null };
  if (origin === 'health') return { header, own: { origin, kernel: false } };
  const dating = lineDating(header.dating, file.path);
  const { bytes } = file.found;
  const { hostAlias, kernel } = await ownerOfLog(node, text, bytes, format, dating, reading.directory);
  return { header: { ...header, hostAlias }, own: origin === 'kernel' ? { origin, kernel } : null };
}

function nothingOf(file: EvidenceFile, origin: Origin) {
  return { origin, node: file.node, lines: 0, bytes: 0, seen: [] as readonly string[] };
}
