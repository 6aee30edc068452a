/** Why a stream ended before its end: becomes the status and reason of coverage. */
export interface CutShort {
  readonly status: 'failed' | 'truncated' | 'timed_out';
  /** No secrets, no excerpts. */
  readonly reason: string;
}

/** Bytes in order, pulled by whoever has room for them. Failures to be expected end the stream and stand in `cutShort`. */
export interface ByteReader {
  /** Fills the start of `target` (not empty); resolves to the number of bytes, 0 at the end. */
  read(target: Uint8Array): Promise<number>;
  /** After a read of 0 bytes: null where the end was reached, else why there is no more. */
  cutShort(): CutShort | null;
  /** Frees what it holds; may be called at any time, more than once. */
  close(): Promise<void>;
}

/** Reads until `target` is full or the stream ends; resolves to the number of bytes. */
export async function readFully(reader: ByteReader, target: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const count = await reader.read(target.subarray(filled));
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** The first bytes of a stream (at most `bytes`), and a reader that gives them again before the rest. */
export async function peek(
  reader: ByteReader,
  bytes: number,
): Promise<{ readonly head: Uint8Array; readonly reader: ByteReader }> {
  const buffer = new Uint8Array(bytes);
  const head = buffer.subarray(0, await readFully(reader, buffer));
  return { head, reader: withHead(head, reader) };
}

/** A reader that gives some bytes before those of another. */
export function withHead(head: Uint8Array, reader: ByteReader): ByteReader {
  let given = 0;
  return {
    read: target => {
      if (given >= head.length) return reader.read(target);
      const part = head.subarray(given, given + target.length);
      target.set(part);
      given += part.length;
      return Promise.resolve(part.length);
    },
    cutShort: reader.cutShort,
    close: reader.close,
  };
}

/** A reader of bytes in memory that gives at most `step` bytes a read. */
export function bytesReader(bytes: Uint8Array, step = bytes.length): ByteReader {
  let given = 0;
  return {
    read: target => {
      const part = bytes.subarray(given, given + Math.min(step, target.length));
      target.set(part);
      given += part.length;
      return Promise.resolve(part.length);
    },
    cutShort: () => null,
    close: () => Promise.resolve(),
  };
}
