/** What the first bytes of a file look like: text in a one-byte or UTF-8 encoding, or what is not read. */
export type TextKind = 'text' | 'utf-16' | 'binary';

/** A crash leaves runs of zero bytes in a log; single zeros between letters are another encoding, or no text. */
const longRun = 8;
const mostStrange = 0.05;

export function textKind(head: Uint8Array): TextKind {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return 'utf-16';
  const zeros: [even: number, odd: number] = [0, 0];
  let strange = 0;
  let counted = 0;
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] ?? 0;
    if (byte === 0) {
      const run = zeroRun(head, at);
      if (run >= longRun) {
        at += run - 1;
        continue;
      }
      zeros[at % 2 === 0 ? 0 : 1]++;
    } else if (isControl(byte)) strange++;
    counted++;
  }
  const [even, odd] = zeros;
  if (even + odd > counted * 0.3 && Math.min(even, odd) < Math.max(even, odd) * 0.1) return 'utf-16';
  return strange + even + odd > counted * mostStrange ? 'binary' : 'text';
}

function zeroRun(head: Uint8Array, from: number): number {
  let to = from;
  while (to < head.length && head[to] === 0) to++;
  return to - from;
}

/** Control characters that logs do not carry; tabs, line ends, backspaces, form feeds and escapes they do. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x07 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f;
}
