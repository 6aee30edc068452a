import type { ByteReader } from './byte-reader.ts';

/** How far an archive may expand before it is taken for a bomb. */
export interface ExpansionCap {
  readonly bytes: number;
  /** Expanded bytes for each compressed one; logs rarely pass 100, zeros reach 1000 in gzip. */
  readonly ratio: number;
  /** The ratio counts from here on: small files may well be one repeated line. */
  readonly ratioFromBytes: number;
}

/** A reader that counts what it has given. */
export interface CountingReader extends ByteReader {
  given(): number;
}

export function countingReader(reader: ByteReader): CountingReader {
  let given = 0;
  return {
    async read(target) {
      const count = await reader.read(target);
      given += count;
      return count;
    },
    given: () => given,
    cutShort: reader.cutShort,
    close: reader.close,
  };
}

/** Ends `expanded` as truncated once it has outgrown what `compressed` gave by more than the cap allows. */
export function cappedReader(expanded: ByteReader, compressed: CountingReader, cap: ExpansionCap): ByteReader {
  let given = 0;
  let reason: string | null = null;
  return {
    async read(target) {
      if (reason !== null) return 0;
      const count = await expanded.read(target);
      if (count === 0) return 0;
      if (given + count > cap.bytes) reason = `it expands to more than ${cap.bytes} bytes`;
      else if (given + count > Math.max(cap.ratioFromBytes, compressed.given() * cap.ratio)) {
        reason = `it expands more than ${cap.ratio} times`;
      }
      if (reason !== null) return 0;
      given += count;
      return count;
    },
    cutShort: () => (reason === null ? expanded.cutShort() : { status: 'truncated', reason }),
    close: expanded.close,
  };
}
