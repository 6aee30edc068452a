import { readFile } from 'node:fs/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import xz from 'xz-decompress';
import { decodeJournaldJson } from '../../src/lines/formats/journald.ts';

const texts = new Map<string, Promise<readonly string[]>>();

/** The line a reference `path:line` points at, unpacked and decoded as the source does, or undefined. */
export async function reopen(reference: string): Promise<string | undefined> {
  const colon = reference.lastIndexOf(':');
  const path = reference.slice(0, colon);
  const lines = texts.get(path) ?? linesOf(path);
  texts.set(path, lines);
  const line = (await lines)[Number(reference.slice(colon + 1)) - 1];
  if (line === undefined || !line.startsWith('{')) return line;
  return decodeJournaldJson(line)?.text ?? line;
}

async function linesOf(path: string): Promise<readonly string[]> {
  const packed = await readFile(path);
  return (await unpack(packed)).toString('utf8').split('\n');
}

async function unpack(packed: Buffer): Promise<Buffer> {
  const magic = packed.subarray(0, 4).toString('hex');
  if (magic.startsWith('1f8b')) return gunzipSync(packed);
  if (magic === '28b52ffd') return zstdDecompressSync(packed);
  if (!magic.startsWith('fd377a58')) return packed;
  const stream = new xz.XzReadableStream(new Blob([new Uint8Array(packed)]).stream());
  return Buffer.from(await new Response(stream).arrayBuffer());
}
