import type { IncomingMessage } from 'node:http';

export type LimitedBody = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false };

/** Bytes that a body is going to take, as far as its sender tells: `most` where it tells nothing, or has it compressed. */
export function announcedBytes({ headers }: IncomingMessage, most: number): number {
  const { 'transfer-encoding': transfer, 'content-encoding': encoding = 'identity' } = headers;
  if (transfer !== undefined || encoding !== 'identity') return most;
  const announced = Number(headers['content-length'] ?? 0);
  // One that is too long is refused unread.
  return announced > most ? 0 : announced;
}

/** The whole body, or that it is longer than allowed, told before it is read to its end; null where the sender went away. */
export function readLimitedBody(request: IncomingMessage, mostBytes: number): Promise<LimitedBody | null> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > mostBytes) return Promise.resolve({ ok: false });
  if (request.destroyed) return Promise.resolve(null);
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) {
        request.removeAllListeners('data');
        request.resume();
        resolve({ ok: false });
      } else chunks.push(chunk);
    });
    request.once('end', () => {
      const [first] = chunks;
      resolve({ ok: true, bytes: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks) });
    });
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
}
