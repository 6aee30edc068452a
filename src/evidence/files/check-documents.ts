import type { BatchHeader, StateBatch } from '../../core/batch.ts';
import { decodeJournaldJson } from '../../lines/formats/journald.ts';
import { readChecks } from '../../lines/health/check-rows.ts';
import { healthMarkers } from '../../lines/health/health-documents.ts';
import { type ByteReader, readFully, withHead } from './byte-reader.ts';
import { lineDating } from './stream-dating.ts';

/** A document has to be held whole, and a log with it; what health checks say after one job is a small part of this. */
const largestLog = 16 * 1024 * 1024;
const blockBytes = 64 * 1024;
const rowsInBatch = 5000;

/** A log of health checks whose documents were read. */
export interface CheckedLog {
  /** Gives the log, with the documents that were read put into a word. */
  readonly reader: ByteReader;
  /** Whether there were any: then the file itself is not what is to be read on. */
  readonly changed: boolean;
  /** What was not looked for, as a sentence; null where everything was. */
  readonly remark: string | null;
}

/** Hands on what JSON documents in a log of health checks state; the lines around them are for whoever reads on. */
export async function* readCheckDocuments(
  reader: ByteReader,
  header: Omit<BatchHeader, 'sequence' | 'firstLine'>,
): AsyncGenerator<StateBatch, CheckedLog, void> {
  const { content, ended } = await readBeginning(reader);
  const whole = { reader: withHead(content, reader), changed: false, remark: null };
  if (!healthMarkers.some(marker => content.includes(marker))) return whole;
  if (!ended) {
    return { ...whole, remark: `JSON documents are not read in logs of more than ${largestLog} bytes` };
  }
  const text = content.toString('utf8').split('\n');
  const lines = header.format === 'journald' ? text.map(entryText) : text;
  const { format, node, dating, stream } = header;
  const checks = readChecks({ lines, format, node, dating: lineDating(dating, stream) });
  const { rows } = checks;
  for (let from = 0, sequence = 0; from < rows.length; from += rowsInBatch, sequence++) {
    yield {
      kind: 'states',
      header: { ...header, sequence, firstLine: 1 },
      rows: rows.slice(from, from + rowsInBatch),
    };
  }
  const rest = withHead(Buffer.from(checks.lines.join('\n')), reader);
  return { reader: rest, changed: checks.lines !== lines, remark: null };
}

function entryText(line: string): string {
  return line.startsWith('{') ? (decodeJournaldJson(line)?.text ?? line) : line;
}

async function readBeginning(
  reader: ByteReader,
): Promise<{ readonly content: Buffer; readonly ended: boolean }> {
  const blocks: Buffer[] = [];
  for (let length = 0; length <= largestLog; ) {
    const block = Buffer.alloc(blockBytes);
    const count = await readFully(reader, block);
    blocks.push(block.subarray(0, count));
    length += count;
    if (count < blockBytes) return { content: Buffer.concat(blocks), ended: true };
  }
  return { content: Buffer.concat(blocks), ended: false };
}
