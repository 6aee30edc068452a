import { readFile } from 'node:fs/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import xz from 'xz-decompress';
import { decodeJournaldJson } from '../../src/lines/formats/journald.ts';

const texts = new Map<string, Promise<readonly string[]>>();

/**
 * What a reference points at, unpacked and decoded as the source does, or undefined: the line of `path:line`, or the
 * metric and value of `path @ stamp` in a saved answer of a query.
 */
export async function reopen(reference: string): Promise<string | undefined> {
  const [query = '', stamp] = reference.split(' @ ');
  if (stamp !== undefined)
    return samplesAt(await readFile(query, 'utf8'), Number(BigInt(stamp) / 1_000_000_000n));
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

/** Every `metric value` of a saved answer at a stamp in seconds. */
function samplesAt(answer: string, seconds: number): string {
  const { data } = JSON.parse(answer) as {
    data: { result: { metric: { __name__: string }; values: [number, string][] }[] };
  };
  return data.result
    .flatMap(({ metric, values }) =>
      values.filter(([at]) => at === seconds).map(([, value]) => `${metric.__name__} ${value}`),
    )
    .join('\n');
}
