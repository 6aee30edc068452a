/**
 * The first place from `from` on at which a word begins, `to` at the latest. An excerpt that began inside a word would
 * show the end of a password without the name by which it is known as one.
 */
export function wordStart(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  for (let at = from; at < to; at += 1) {
    if (isBlank(text.charCodeAt(at - 1))) return at;
  }
  return to;
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
