import { endBeforeCut, startAfterCut } from '../cut-ends.ts';

const maxBytes = 1024;

/**
 * At most 1 KiB of a line, cut between words so that it is found again in the line: from the start, or from a word before
 * `telling` where that lies beyond.
 */
export function excerpt(text: string, telling: string | null): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const at = telling === null ? -1 : text.indexOf(telling);
  const far = at >= 0 && Buffer.byteLength(text.slice(0, at + (telling ?? '').length)) > maxBytes;
  const from = far ? startAfterCut(text, startOfCodePoint(text, Math.max(0, at - 128)), at) : 0;
  let bytes = 0;
  let to = from;
  for (const character of text.slice(from, from + maxBytes)) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    to += character.length;
  }
  const toldTo = telling === null || at < 0 ? 0 : at + telling.length;
  return text.slice(from, endBeforeCut(text, Math.min(toldTo, to), to));
}

function startOfCodePoint(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
