import { basename } from 'node:path';
import type { Dating, Origin } from '../../core/batch.ts';
import { detectFormat, detectTable } from '../../lines/formats/detect-format.ts';
import { job } from '../../lines/formats/job.ts';
import { lineFormat, parseLine } from '../../lines/formats/line-formats.ts';
import type { NodeDirectory } from '../../lines/node-names.ts';
import { readFully } from './byte-reader.ts';
import { nodeOfFile } from './node-of-file.ts';
import { linesOfHead, openText } from './open-text.ts';
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

/** Every line of a loose file is looked at before it counts as more than job text; a larger one stays job text. */
const provableBytes = 256 * 1024 * 1024;
const blockBytes = 1024 * 1024;

/**
 * What a file counts as: what its place says, else job text. Where a person pointed at a loose file it may count as
 * what it looks like, once every line of it has been seen to be no job text: batches that went out cannot be called
 * back, so nothing is handed on before that.
 */
export async function classify(
  file: EvidenceFile,
  head: Uint8Array,
  settings: FilesSettings,
  dating: Dating,
  directory: NodeDirectory,
  signal: AbortSignal,
): Promise<FileClass> {
  const lines = linesOfHead(head);
  const plain = { node: file.node, table: null, demoted: null };
  if (file.place !== 'loose') {
    const table = file.place === 'scheduler' ? detectTable(firstWritten(lines)) : null;
    const format = table ?? (file.place === 'job' ? job.name : formatOf(lines));
    return { ...plain, origin: file.place, format, table };
  }
  const asJob: FileClass = { ...plain, origin: 'job', format: job.name };
  if (settings.trust === 'configured') return asJob;
  const detected = detectFormat(lines);
  if (detected.origin === null || detected.origin === 'job') return asJob;
  const doubt = await jobTextIn(file, settings, signal);
  if (doubt !== null) return { ...asJob, demoted: doubt };
  const table = detected.format === 'sacct' || detected.format === 'scontrol' ? detected.format : null;
  const format = table ?? formatOf(lines);
  const node =
    table === null && detected.origin === 'kernel' ? looseNode(file, lines, format, dating, directory) : null;
  return { origin: detected.origin, format, node, table, demoted: null };
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

/** A loose kernel log whose lines name no host is its file name's node's. */
function looseNode(
  file: EvidenceFile,
  lines: readonly string[],
  format: string,
  dating: Dating,
  directory: NodeDirectory,
): string | null {
  const own = lineDating(dating, file.path);
  if (lines.some(line => parseLine(format, line, own).host !== null)) return null;
  return nodeOfFile(basename(file.path), directory)?.node ?? null;
}

/** Why a file may not count as more than job text, or null. */
async function jobTextIn(
  file: EvidenceFile,
  settings: FilesSettings,
  signal: AbortSignal,
): Promise<string | null> {
  const text = await openText(file.found, settings, signal);
  if (text.kind !== 'text') return 'it could not be read twice';
  try {
    let read = 0;
    let line = 1;
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const block = Buffer.alloc(blockBytes);
      const count = await readFully(text.reader, block);
      read += count;
      if (read > provableBytes)
        return `it is too long to prove that none of it is job text: lay it out as kernel/<node>.log`;
      const known = Buffer.concat([rest, block.subarray(0, count)]);
      const last = count < blockBytes;
      const complete = last ? known.length : known.lastIndexOf(10) + 1;
      const lines = known.toString('utf8', 0, complete).split('\n');
      const found = lines.findIndex(candidate => job.fits(candidate));
      if (found >= 0) return `line ${line + found} of it is job text`;
      if (last) return text.reader.cutShort() === null ? null : 'it could not be read to its end';
      line += lines.length - 1;
      // A line longer than a block is looked at in parts: only its beginning could be a label.
      rest = known.subarray(complete);
    }
  } finally {
    await text.reader.close();
  }
}
