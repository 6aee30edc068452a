import type { FileHandle } from 'node:fs/promises';
import { type ByteReader, peek, withHead } from './byte-reader.ts';
import { expandingReader } from './expanding-reader.ts';
import { fileReader } from './file-reader.ts';
import { type Found, openFound } from './inside-root.ts';
import type { FilesSettings } from './settings.ts';
import { textKind } from './text-kind.ts';

/** A file opened as text, unpacked where it is packed. Closing the reader closes the file. */
export interface OpenText {
  readonly kind: 'text';
  /** The beginning of the text, at most `headBytes`; the reader gives it again. */
  readonly head: Uint8Array;
  readonly reader: ByteReader;
  /** The file itself where it is not packed: its text can be read from anywhere. */
  readonly plain: FileHandle | null;
}

/** Why a file holds no text that is read; `unlike-text` is no fault where anything may lie about. */
export interface Unread {
  readonly kind: 'unreadable' | 'unlike-text';
  readonly reason: string;
}

/** Enough to tell formats by, and to see past a run of zero bytes. */
export const headBytes = 64 * 1024;

export async function openText(
  found: Found,
  settings: Pick<FilesSettings, 'readBytes' | 'expansion'>,
  signal: AbortSignal,
): Promise<OpenText | Unread> {
  const handle = await openFound(found);
  if ('kind' in handle) return { kind: 'unreadable', reason: handle.reason };
  const raw = fileReader(handle, { from: 0, to: found.bytes }, settings.readBytes, signal);
  const { packing, reader } = await expandingReader(raw, settings.expansion);
  if (reader === null) {
    await raw.close();
    return {
      kind: 'unreadable',
      reason: `it is packed as ${packing}: unpack it, or pack it as gzip, zstd or xz`,
    };
  }
  const { head, reader: text } = await peek(
    reader,
    packing === 'plain' ? Math.min(headBytes, found.bytes) : headBytes,
  );
  if (isTar(head)) {
    await text.close();
    return { kind: 'unreadable', reason: 'it is a tar archive: unpack it into a folder' };
  }
  const looks = textKind(head);
  if (looks === 'text' && byteOrderMark.every((byte, at) => head[at] === byte)) {
    const rest = head.subarray(byteOrderMark.length);
    // Positions in the file are not those in its text.
    return { kind: 'text', head: rest, reader: withHead(rest, reader), plain: null };
  }
  if (looks === 'text') return { kind: 'text', head, reader: text, plain: packing === 'plain' ? handle : null };
  await text.close();
  return {
    kind: 'unlike-text',
    reason: looks === 'binary' ? 'it holds no text' : 'it is UTF-16: convert it to UTF-8',
  };
}

/** Some editors begin UTF-8 with it; before a stamp it would hide the time of the line. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

function isTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar';
}

/** The lines of a text's beginning; the last, incomplete one only where there is no other. */
export function linesOfHead(head: Uint8Array): readonly string[] {
  const lines = Buffer.from(head.buffer, head.byteOffset, head.length).toString('utf8').split(/\r?\n/);
  return lines.length > 1 && head.length === headBytes ? lines.slice(0, -1) : lines;
}
