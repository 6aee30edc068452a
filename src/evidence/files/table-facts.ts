import type { StateRow } from '../../core/batch.ts';
import { countNewlines } from '../../lines/count-newlines.ts';
import type { LineDating } from '../../lines/line.ts';
import { parseSacct } from '../../lines/slurm/sacct.ts';
import { parseScontrol } from '../../lines/slurm/scontrol.ts';
import type { CutShort } from './byte-reader.ts';
import { readFully } from './byte-reader.ts';
import type { OpenText } from './open-text.ts';

export type TableFormat = 'sacct' | 'scontrol';

/** Tables are parsed whole; what one job and its nodes need is a small part of this. */
const largestTable = 64 * 1024 * 1024;
const blockBytes = 1024 * 1024;

export interface TableFacts {
  readonly rows: readonly StateRow[];
  readonly lines: number;
  readonly bytes: number;
  /** Lines or values that could not be read safely. */
  readonly unread: number;
  readonly ending: CutShort | null;
}

/** Reads a table of the scheduler to its end and closes it. */
export async function readTable(text: OpenText, format: TableFormat, dating: LineDating): Promise<TableFacts> {
  const { content, ending } = await readWhole(text, largestTable);
  const decoded = content.toString('utf8');
  const { rows, unread } = format === 'sacct' ? parseSacct(decoded, dating) : parseScontrol(decoded, dating);
  const open = content.length > 0 && content.at(-1) !== 10 ? 1 : 0;
  const lines = countNewlines(content, 0, content.length) + open;
  return { rows, lines, bytes: content.length, unread, ending };
}

/** Whole lines of a text up to `limit` bytes; the text is closed. */
export async function readWhole(
  text: OpenText,
  limit: number,
): Promise<{ readonly content: Buffer; readonly ending: CutShort | null }> {
  const blocks: Buffer[] = [];
  let length = 0;
  try {
    for (;;) {
      const block = Buffer.alloc(blockBytes);
      const count = await readFully(text.reader, block);
      blocks.push(block.subarray(0, count));
      length += count;
      if (count < blockBytes || length > limit) break;
    }
  } finally {
    await text.reader.close();
  }
  const tooLong: CutShort = { status: 'truncated', reason: `it is longer than ${limit} bytes` };
  const ending = length > limit ? tooLong : text.reader.cutShort();
  const content = Buffer.concat(blocks).subarray(0, limit);
  return { content: ending === null ? content : content.subarray(0, content.lastIndexOf(10) + 1), ending };
}
