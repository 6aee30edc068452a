import type { FileHandle } from 'node:fs/promises';
import type { ByteReader, CutShort } from './byte-reader.ts';
import { errorCode } from './inside-root.ts';

/** Reads `[from, to)` of an open file, so that a file that grows while it is read still ends. Closes the handle. */
export function fileReader(
  handle: FileHandle,
  range: { readonly from: number; readonly to: number },
  readBytes: number,
  signal: AbortSignal,
): ByteReader {
  let at = range.from;
  let cut: CutShort | null = null;
  let closed = false;
  return {
    async read(target) {
      if (cut !== null || at >= range.to) return 0;
      if (signal.aborted) {
        cut = { status: 'timed_out', reason: 'the deadline came before its end' };
        return 0;
      }
      try {
        const length = Math.min(target.length, readBytes, range.to - at);
        const { bytesRead } = await handle.read(target, 0, length, at);
        at += bytesRead;
        if (bytesRead === 0) cut = { status: 'failed', reason: 'it shrank while it was read' };
        return bytesRead;
      } catch (error) {
        cut = { status: 'failed', reason: `it could not be read to its end (${errorCode(error)})` };
        return 0;
      }
    },
    cutShort: () => cut,
    async close() {
      if (closed) return;
      closed = true;
      await handle.close().catch(() => {});
    },
  };
}
