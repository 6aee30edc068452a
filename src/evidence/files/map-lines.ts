import type { ByteReader } from './byte-reader.ts';

const newline = 10;
const stepBytes = 256 * 1024;

/**
 * Rewrites a text line by line, each to one line, so that line numbers stay those of the file. Lines over `lineBytes`
 * and lines for which `map` gives null stay as they are; a last line cut off in the middle is left as it is, too.
 */
export function mapLines(
  source: ByteReader,
  map: (line: string) => string | null,
  lineBytes: number = 1024 * 1024,
): ByteReader {
  let pending: Buffer = Buffer.alloc(0);
  let output: Buffer = Buffer.alloc(0);
  let ended = false;
  /** Inside a line that was too long to wait for. */
  let passing = false;

  const rewrite = (text: Buffer): Buffer => {
    const parts: Buffer[] = [];
    for (let from = 0; from < text.length; ) {
      const feed = text.indexOf(newline, from);
      const end = feed < 0 ? text.length : feed;
      const line = text.subarray(from, end);
      const mapped = passing ? null : map(line.toString('utf8'));
      passing = false;
      parts.push(mapped === null ? line : Buffer.from(mapped));
      if (feed >= 0) parts.push(text.subarray(feed, feed + 1));
      from = end + 1;
    }
    return Buffer.concat(parts);
  };

  const step = async (): Promise<void> => {
    const block = Buffer.alloc(stepBytes);
    const count = await source.read(block);
    if (count === 0) {
      ended = true;
      output = source.cutShort() === null ? rewrite(pending) : pending;
      return;
    }
    const text = Buffer.concat([pending, block.subarray(0, count)]);
    const complete = text.lastIndexOf(newline) + 1;
    pending = text.subarray(complete);
    output = rewrite(text.subarray(0, complete));
    if (!passing && pending.length <= lineBytes) return;
    output = Buffer.concat([output, pending]);
    pending = Buffer.alloc(0);
    passing = true;
  };

  return {
    async read(target) {
      while (output.length === 0 && !ended) await step();
      const part = output.subarray(0, target.length);
      target.set(part);
      output = output.subarray(part.length);
      return part.length;
    },
    cutShort: source.cutShort,
    close: source.close,
  };
}
