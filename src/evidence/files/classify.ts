import { basename } from 'node:path';
import type { Dating, Origin } from '../../core/batch.ts';
import { type DetectedFormat, detectFormat, detectTable } from '../../lines/formats/detect-format.ts';
import { job } from '../../lines/formats/job.ts';
import { journald } from '../../lines/formats/journald.ts';
import { lineFormat, parseLine } from '../../lines/formats/line-formats.ts';
import { shippedJson } from '../../lines/formats/shipped-json.ts';
import type { NodeDirectory } from '../../lines/node-names.ts';
import { isBareKernel } from './bare-kernel.ts';
import { createJobTextProof } from './job-text-proof.ts';
import { isMachine, nodeOfFile, nodeOfFolder } from './node-of-file.ts';
import { headBytes, linesOfHead } from './open-text.ts';
import type { FilesSettings } from './settings.ts';
import { lineDating } from './stream-dating.ts';
import type { EvidenceFile } from './survey.ts';
import type { TableFormat } from './table-facts.ts';

/** What a file counts as. `table` and `journald` say how it is decoded. */
export interface FileClass {
  readonly origin: Origin;
  readonly format: string;
  readonly node: string | null;
  readonly table: TableFormat | null;
  /** Why a loose file counts as no more than job text, where it looked like more. */
  readonly demoted: string | null;
}

/** Tells what a file counts as; `head` is the beginning of its text. */
export type Classifier = (
  file: EvidenceFile,
  head: Uint8Array,
  dating: Dating,
  directory: NodeDirectory,
  signal: AbortSignal,
) => Promise<FileClass>;

/**
 * What a file counts as: what its place says, else job text. Where a person pointed at a loose file it may count as
 * what it looks like, once every line of it has been seen to be no job text: batches that went out cannot be called
 * back, so nothing is handed on before that.
 */
export function createClassifier(settings: FilesSettings): Classifier {
  const prove = createJobTextProof(settings);
  return async (file, head, dating, directory, signal) => {
    const lines = linesOfHead(head);
    if (file.place !== 'loose') {
      const placed = ofPlace(file, file.place, lines);
      const node = settings.trust === 'command-line' ? placedNode(file, placed, lines, dating) : placed.node;
      return { ...placed, node };
    }
    const asJob: FileClass = { origin: 'job', format: job.name, node: null, table: null, demoted: null };
    if (settings.trust === 'configured') return asJob;
    const { origin, format: detected } = looseFormat(head, lines);
    if (origin === null || origin === 'job') return asJob;
    const doubt = await prove(file, signal);
    if (doubt !== null) return { ...asJob, demoted: doubt };
    const table = detected === 'sacct' || detected === 'scontrol' ? detected : null;
    const format = table ?? formatOf(lines);
    const mayBeNodes = table === null && origin === 'kernel';
    const node = mayBeNodes ? looseNode(file, lines, format, dating, directory) : null;
    return { origin, format, node, table, demoted: null };
  };
}

/** A short text of bare kernel messages is a kernel log cut out; of a long one only the beginning is known here. */
function looseFormat(head: Uint8Array, lines: readonly string[]): DetectedFormat {
  const detected = detectFormat(lines);
  const isCutOut = detected.origin === null && head.length < headBytes && isBareKernel(lines);
  return isCutOut ? { format: 'auto', origin: 'kernel' } : detected;
}

function ofPlace(file: EvidenceFile, origin: Origin, lines: readonly string[]): FileClass {
  const shared = origin === 'job' ? job.name : formatOf(lines);
  const table = origin === 'scheduler' ? tableOf(firstWritten(lines), shared) : null;
  const format = table ?? shared;
  return { origin, format, node: file.node, table, demoted: null };
}

/** A kernel log that somebody pointed at and that no name of a file or host tells of is the one node's asked about. */
function placedNode(
  file: EvidenceFile,
  { origin, node, format }: FileClass,
  lines: readonly string[],
  dating: Dating,
): string | null {
  const isNobodys = node === null && origin === 'kernel' && !namesHost(file, lines, format, dating);
  return isNobodys ? file.sole : node;
}

/** A document is what begins as one and is no log exported in JSON. */
function tableOf(first: string, format: string): TableFormat | null {
  const begins = first.trimStart().startsWith('{') && format !== journald.name && format !== shippedJson.name;
  return detectTable(first) ?? (begins ? 'slurm-json' : null);
}

/** The format all lines share, so far as the beginning tells; `auto` looks at each line by itself. */
function formatOf(lines: readonly string[]): string {
  const written = lines.filter(line => line.trim() !== '');
  const name = detectFormat(written).format;
  const format = lineFormat(name);
  return format !== null && format !== job && written.every(line => format.fits(line)) ? name : 'auto';
}

function firstWritten(lines: readonly string[]): string {
  return lines.find(line => line.trim() !== '') ?? '';
}

/**
 * A loose kernel log whose lines name no host is that node's after which its file is named, or else its folder: a name
 * without a number may be what somebody called a piece of it. One beside which no other lies is of the one node asked about.
 */
function looseNode(
  file: EvidenceFile,
  lines: readonly string[],
  format: string,
  dating: Dating,
  directory: NodeDirectory,
): string | null {
  if (namesHost(file, lines, format, dating)) return null;
  const named = nodeOfFile(basename(file.path), directory);
  if (named !== null && (named.joined || isMachine(named.node))) return named.node;
  const folder = file.folder === null ? null : nodeOfFolder(file.folder, directory);
  const called = named === null || /\d/.test(named.node) ? null : named.node;
  return folder ?? file.sole ?? called;
}

function namesHost(file: EvidenceFile, lines: readonly string[], format: string, dating: Dating): boolean {
  const own = lineDating(dating, file.path);
  return lines.some(line => parseLine(format, line, own).host !== null);
}
