/** Reads a body as text, at most `mostBytes` of it; null where it is longer, and then the rest is not fetched. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
): Promise<string | null> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > mostBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return new TextDecoder().decode(whole);
}
