import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { failure, type HttpFailure } from './failure.ts';

/** What is understood, and asked for. */
export const acceptedEncodings = 'gzip, deflate, zstd';

export interface BodyLimits {
  /** As it comes. */
  readonly answerBytes: number;
  /** Once it is expanded. */
  readonly expandedBytes: number;
}

export type ReadBody =
  | { readonly ok: true; readonly content: Buffer; readonly bytes: number }
  | { readonly ok: false; readonly failure: HttpFailure };

/** Reads a whole body, expanding it as it comes. Rejects where the connection breaks; a cap or damage is a failure. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  limits: BodyLimits,
): Promise<ReadBody> {
  const decoder = decoderOf(encoding);
  if (decoder === 'unknown') {
    return {
      ok: false,
      failure: failure(
        'bad_encoding',
        'used a compression that was not asked for: look at what stands in front of it',
      ),
    };
  }
  let bytes = 0;
  let over = false;
  let broken: unknown = null;
  let expanded = 0;
  const chunks: Uint8Array[] = [];
  const stopAbove = (count: number, limit: number): void => {
    if (count <= limit) return;
    over = true;
    throw new Error('over the limit');
  };
  async function* counted(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        stopAbove(bytes, limits.answerBytes);
        yield chunk;
      }
    } catch (error) {
      broken = error;
      throw error;
    }
  }
  const gather = async (parts: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const part of parts) {
      expanded += part.length;
      stopAbove(expanded, limits.expandedBytes);
      chunks.push(part);
    }
  };
  try {
    if (decoder === null) await gather(counted());
    else await pipeline(counted, decoder, gather);
    return { ok: true, content: Buffer.concat(chunks), bytes };
  } catch (error) {
    if (over) return { ok: false, failure: tooLarge(bytes, limits) };
    if (broken !== null || decoder === null) throw broken ?? error;
    return {
      ok: false,
      failure: failure(
        'bad_encoding',
        'sent a compressed answer that is damaged: look at what stands in front of it',
      ),
    };
  }
}

function tooLarge(bytes: number, limits: BodyLimits): HttpFailure {
  return bytes > limits.answerBytes
    ? failure(
        'too_large',
        `sent more than ${limits.answerBytes} bytes (answerBytes): raise it, or narrow what this source selects`,
      )
    : failure(
        'too_large',
        `sent what expands to more than ${limits.expandedBytes} bytes (expandedBytes): raise it, or narrow what this source selects`,
      );
}

function decoderOf(encoding: string) {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'deflate') return createInflate();
  return name === 'zstd' ? createZstdDecompress() : 'unknown';
}
