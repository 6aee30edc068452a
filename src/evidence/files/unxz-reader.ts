import type { ByteReader, CutShort } from './byte-reader.ts';

/** What the decoder takes at once. */
const sliceBytes = 64 * 1024;
/** The decoder never says that it starves: it goes on giving nothing. Headers give nothing either, but few times. */
const mostEmptySteps = 64;

/**
 * Pulls `source` through the xz decoder. The decoder serves one stream at a time and lets the others wait, and loses
 * count when one of those is cancelled: so nothing is cancelled before its first read has come back.
 */
export function unxzReader(source: ByteReader): ByteReader {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let pending: Promise<void> = Promise.resolve();
  let chunk: Uint8Array = new Uint8Array(0);
  let emptySteps = 0;
  let cut: CutShort | null = null;
  let ended = false;

  const stop = async (): Promise<void> => {
    ended = true;
    await reader?.cancel().catch(() => {});
  };

  const next = async (): Promise<void> => {
    try {
      reader ??= await decode(source);
      const step = await reader.read();
      if (step.done) {
        ended = true;
        return;
      }
      chunk = step.value;
      emptySteps = chunk.length === 0 ? emptySteps + 1 : 0;
      if (emptySteps > mostEmptySteps) throw new Error('the decoder waits for bytes that do not come');
    } catch {
      await stop();
      cut = source.cutShort() ?? { status: 'failed', reason: 'the archive is damaged or incomplete' };
    }
  };

  return {
    async read(target) {
      while (chunk.length === 0 && !ended) {
        pending = next();
        await pending;
      }
      const part = chunk.subarray(0, target.length);
      target.set(part);
      chunk = chunk.subarray(part.length);
      return part.length;
    },
    cutShort: () => cut,
    async close() {
      await pending;
      if (!ended) await stop();
      await source.close();
    },
  };
}

/** The decoder is loaded by the first xz file: it carries a WebAssembly module. */
async function decode(source: ByteReader): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { XzReadableStream } = (await import('xz-decompress')).default;
  const compressed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const slice = new Uint8Array(sliceBytes);
        const count = await source.read(slice);
        if (count === 0) controller.close();
        else controller.enqueue(slice.subarray(0, count));
      },
    },
    { highWaterMark: 0 },
  );
  return new XzReadableStream(compressed).getReader();
}
