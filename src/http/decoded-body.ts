import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';

export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly says: string };

type Expand = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const encodings: Readonly<Record<string, Expand>> = {
  gzip: promisify(gunzip) as Expand,
  zstd: promisify(zstdDecompress) as Expand,
};

/** A body as it was before its `content-encoding`; what comes out has the same limit as what came. */
export async function decodedBody(
  bytes: Uint8Array,
  encoding: string | undefined,
  mostBytes: number,
): Promise<DecodedBody> {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return { ok: true, bytes };
  const expand = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
  if (expand === undefined) {
    const known = Object.keys(encodings).join(', ');
    return { ok: false, status: 415, says: `content-encoding: only ${known} and identity are served` };
  }
  try {
    return { ok: true, bytes: await expand(bytes, { maxOutputLength: mostBytes }) };
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    return isTooLarge
      ? { ok: false, status: 413, says: `Request body is larger than ${mostBytes} bytes` }
      : { ok: false, status: 400, says: `The body is no ${name}` };
  }
}
