/** The most own bytes of one batch. */
export const largestBatchBytes = 1024 * 1024;
/** The most bytes that a batch repeats of its neighbours, on each side. */
export const largestContextBytes = 64 * 1024;
/** What one batch buffer holds: own bytes, context on both sides, and one byte to look ahead. */
export const batchBufferBytes = largestBatchBytes + 2 * largestContextBytes + 1;

/**
 * Recycled buffers of one size. A batch's buffer is transferred to whoever reads it; who is done hands it back to
 * `release`, from whatever thread it came. Without that the pool merely allocates: nothing waits for a buffer, since
 * backpressure on batches already bounds how many are alive.
 */
export interface BufferPool {
  readonly bytes: number;
  /** A buffer of `bytes` bytes; what it holds is left over from its last use. */
  acquire(): ArrayBuffer;
  /** Takes a buffer back; one of another size (cut down, detached) or one already here is ignored. */
  release(buffer: ArrayBuffer): void;
}

/** A pool that keeps at most `keep` idle buffers and leaves further ones to the collector. */
export function bufferPool(bytes: number = batchBufferBytes, keep = 32): BufferPool {
  const idle: ArrayBuffer[] = [];
  return {
    bytes,
    acquire: () => idle.pop() ?? new ArrayBuffer(bytes),
    release: buffer => {
      if (buffer.byteLength !== bytes || idle.length >= keep || idle.includes(buffer)) return;
      idle.push(buffer);
    },
  };
}
