import type { IncomingMessage } from 'node:http';

export type LimitedBody = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false };

/** The whole body, or that it is longer than allowed, told before it is read to its end; null where the sender went away. */
export function readLimitedBody(request: IncomingMessage, mostBytes: number): Promise<LimitedBody | null> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > mostBytes) return Promise.resolve({ ok: false });
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
