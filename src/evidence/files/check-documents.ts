import type { BatchHeader, StateBatch } from '../../core/batch.ts';
import { decodeJournaldJson } from '../../lines/formats/journald.ts';
import { readChecks } from '../../lines/health/check-rows.ts';
import { healthMarkers } from '../../lines/health/health-documents.ts';
import { type ByteReader, readFully, withHead } from './byte-reader.ts';
import { mayBeOfAnotherJob } from './other-jobs.ts';
import { lineDating } from './stream-dating.ts';

/** A document has to be held whole, and a log with it; what health checks say after one job is a small part of this. */
const largestLog = 16 * 1024 * 1024;
const tooLong = `JSON documents are not read in logs of more than ${largestLog} bytes`;
const blockBytes = 64 * 1024;
const rowsInBatch = 5000;

/** A log of health checks whose documents were read. */
export interface CheckedLog {
  /** Gives the log, with the documents that were read put into a word. */
  readonly reader: ByteReader;
  /** Whether the file itself is not what is to be read on. */
  readonly changed: boolean;
  /** Whether it may be of another job: then nothing of it was handed on. */
  readonly isForeign: boolean;
  /** Why documents of health checks were not read, as sentences; complete once the reader has been read to its end. */
  readonly lost: readonly string[];
}

/**
 * Hands on what JSON documents in a log of health checks state; the lines around them are for whoever reads on. `job` is
 * whose checks are wanted, or null.
 */
export async function* readCheckDocuments(
  reader: ByteReader,
  header: Omit<BatchHeader, 'sequence' | 'firstLine'>,
  job: string | null,
): AsyncGenerator<StateBatch, CheckedLog, void> {
  const { content, ended } = await readBeginning(reader);
  const text = content.toString('utf8').split('\n');
  if (mayBeOfAnotherJob(text, header, job)) {
    return { reader: withHead(content, reader), changed: true, isForeign: true, lost: [] };
  }
  if (!ended) {
    const lost: string[] = [];
    const rest = watched(withHead(content, reader), healthMarkers, () => lost.push(tooLong));
    return { reader: rest, changed: true, isForeign: false, lost };
  }
  if (!healthMarkers.some(marker => content.includes(marker))) {
    return { reader: withHead(content, reader), changed: false, isForeign: false, lost: [] };
  }
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
  return { reader: rest, changed: checks.lines !== lines, isForeign: false, lost: checks.lost };
}

function entryText(line: string): string {
  return line.startsWith('{') ? (decodeJournaldJson(line)?.text ?? line) : line;
}

/** A reader that tells, once, when one of some texts passes. */
function watched(reader: ByteReader, texts: readonly string[], tell: () => void): ByteReader {
  const overlap = Math.max(...texts.map(text => text.length));
  let tail = Buffer.alloc(0);
  let told = false;
  return {
    ...reader,
    async read(target) {
      const count = await reader.read(target);
      if (told || count === 0) return count;
      const seen = Buffer.concat([tail, target.subarray(0, count)]);
      tail = seen.subarray(Math.max(0, seen.length - overlap));
      told = texts.some(text => seen.includes(`"${text}`));
      if (told) tell();
      return count;
    },
  };
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
