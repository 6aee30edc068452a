/** The most own bytes of one batch. */
export const largestBatchBytes = 1024 * 1024;
/** The most bytes that a batch repeats of its neighbours, on each side. */
export const largestContextBytes = 64 * 1024;
/** What one batch buffer holds: own bytes, context on both sides, and one byte to look ahead. */
export const batchBufferBytes = largestBatchBytes + 2 * largestContextBytes + 1;

/**
 * Recycled buffers of a few sizes. A batch's buffer is transferred to whoever reads it; who is done hands it back to
 * `release`, from whatever thread it came. Without that the pool merely allocates: nothing waits for a buffer, since
 * backpressure on batches already bounds how many are alive.
 */
export interface BufferPool {
  /** The largest size. */
  readonly bytes: number;
  /** A buffer of at least `atLeast` bytes (absent: of `bytes`); what it holds is left over from its last use. */
  acquire(atLeast?: number): ArrayBuffer;
  /** Takes a buffer back; one of another size (cut down, detached) or one already here is ignored. */
  release(buffer: ArrayBuffer): void;
}

/** Batches below this share of the largest size move into a smaller buffer, so that waiting ones hold little memory. */
export const smallShare = 8;
const smallestBytes = 4 * 1024;

/** A pool that keeps at most `keep` idle buffers of each size and leaves further ones to the collector. */
export function bufferPool(bytes: number = batchBufferBytes, keep = 32): BufferPool {
  /** The smallest size first. */
  const idle = new Map<number, ArrayBuffer[]>(sizesBelow(bytes).map(size => [size, []]));
  const sizeFor = (wanted: number): number => idle.keys().find(size => size >= wanted) ?? bytes;
  return {
    bytes,
    acquire(atLeast = bytes) {
      const size = sizeFor(atLeast);
      return idle.get(size)?.pop() ?? new ArrayBuffer(size);
    },
    release(buffer) {
      const alike = idle.get(buffer.byteLength);
      if (alike === undefined || alike.length >= keep || alike.includes(buffer)) return;
      alike.push(buffer);
    },
  };
}

/** The largest size, a small share of it, and halves of that. */
function sizesBelow(bytes: number): readonly number[] {
  const sizes = [bytes];
  for (let size = Math.floor(bytes / smallShare); size >= smallestBytes; size = Math.floor(size / 2)) {
    sizes.unshift(size);
  }
  return sizes;
}
