import type { Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { ByteReader, CutShort } from './byte-reader.ts';

/** Small, so that what precedes a damaged place still comes out: a slice that fails yields nothing. */
const sliceBytes = 64 * 1024;
/** Node's default of 16 KiB costs half the speed. */
const chunkSize = 1024 * 1024;

export function gunzipReader(source: ByteReader): ByteReader {
  return inflateReader(source, createGunzip({ chunkSize }));
}

export function unzstdReader(source: ByteReader): ByteReader {
  return inflateReader(source, createZstdDecompress({ chunkSize }));
}

/**
 * Pulls `source` through a decompressor. The next slice goes in only once everything that the last one made is taken:
 * at most two chunks wait, however far a slice expands, and an error never takes finished output with it.
 */
function inflateReader(source: ByteReader, inflate: Transform): ByteReader {
  const slice = new Uint8Array(sliceBytes);
  const chunks: Uint8Array[] = [];
  let offset = 0;
  let state: 'idle' | 'busy' | 'ended' = 'idle';
  let cut: CutShort | null = null;
  let wake = (): void => {};

  inflate.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    inflate.pause();
    wake();
  });
  inflate.on('end', () => {
    state = 'ended';
    wake();
  });
  inflate.on('error', () => {
    state = 'ended';
    cut ??= { status: 'failed', reason: 'the archive is damaged or incomplete' };
    wake();
  });

  const feed = async (): Promise<void> => {
    state = 'busy';
    const count = await source.read(slice);
    if (count === 0) {
      cut = source.cutShort();
      if (cut !== null) state = 'ended';
      else inflate.end();
      return;
    }
    inflate.write(slice.subarray(0, count), () => {
      if (state === 'busy') state = 'idle';
      wake();
    });
  };

  return {
    async read(target) {
      for (;;) {
        const [chunk] = chunks;
        if (chunk !== undefined) {
          const part = chunk.subarray(offset, offset + target.length);
          target.set(part);
          offset += part.length;
          if (offset === chunk.length) {
            chunks.shift();
            offset = 0;
          }
          return part.length;
        }
        if (state === 'ended') return 0;
        const woken = new Promise<void>(resolve => {
          wake = resolve;
        });
        inflate.resume();
        if (state === 'idle' && inflate.readableLength === 0) await feed();
        else await woken;
      }
    },
    cutShort: () => cut,
    close: () => {
      inflate.destroy();
      return source.close();
    },
  };
}
