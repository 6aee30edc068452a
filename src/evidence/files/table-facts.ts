import type { StateRow } from '../../core/batch.ts';
import type { Window } from '../../core/time.ts';
import { countNewlines } from '../../lines/count-newlines.ts';
import type { LineDating } from '../../lines/line.ts';
import { parseSacct } from '../../lines/slurm/sacct.ts';
import { parseScontrol } from '../../lines/slurm/scontrol.ts';
import { parseSavedAnswer } from '../slurm/rest/saved-answer.ts';
import type { CutShort } from './byte-reader.ts';
import { readFully } from './byte-reader.ts';
import type { OpenText } from './open-text.ts';

/** `slurm-json`: what slurmrestd answers, and commands of Slurm print with `--json`. */
export type TableFormat = 'sacct' | 'scontrol' | 'slurm-json';

/** Tables are parsed whole; what one job and its nodes need is a small part of this. */
const largestTable = 64 * 1024 * 1024;
/** JSON.parse holds the event loop. */
const largestAnswer = 32 * 1024 * 1024;
const blockBytes = 1024 * 1024;

export interface TableFacts {
  readonly rows: readonly StateRow[];
  readonly lines: number;
  readonly bytes: number;
  /** Lines or values that could not be read safely. */
  readonly unread: number;
  readonly ending: CutShort | null;
}

/** Reads a table of the scheduler to its end and closes it. Of reservations those that touch the window count. */
export async function readTable(
  text: OpenText,
  format: TableFormat,
  dating: LineDating,
  window: Window | null = null,
): Promise<TableFacts> {
  const { content, ending } = await readWhole(text, format === 'slurm-json' ? largestAnswer : largestTable);
  const decoded = content.toString('utf8');
  if (format === 'slurm-json') return answerFacts(decoded, content.length, ending, dating, window);
  const { rows, unread } = format === 'sacct' ? parseSacct(decoded, dating) : parseScontrol(decoded, dating);
  const open = content.length > 0 && content.at(-1) !== 10 ? 1 : 0;
  const lines = countNewlines(content, 0, content.length) + open;
  return { rows, lines, bytes: content.length, unread, ending };
}

/** A document is whole, or says nothing. */
function answerFacts(
  text: string,
  bytes: number,
  ending: CutShort | null,
  dating: LineDating,
  window: Window | null,
): TableFacts {
  const nothing = { rows: [], lines: 0, bytes, unread: 0 };
  if (ending !== null) return { ...nothing, ending };
  const table = parseSavedAnswer(text, dating, window);
  if (table !== null) {
    return { ...table, lines: table.rows.length, bytes, ending: null };
  }
  const reason = 'it is no JSON answer of slurmrestd, or of a command of Slurm with --json';
  return { ...nothing, ending: { status: 'failed', reason } };
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
