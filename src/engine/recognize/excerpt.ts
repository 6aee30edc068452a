import { wordStart } from '../word-start.ts';

export const excerptBytes = 4096;

/** The text where it is short, else what lies around `[from, to)`, so that at most 4 KiB are kept of any line. */
export function excerpt(text: string, from: number, to: number): string {
  if (text.length * 3 <= excerptBytes || Buffer.byteLength(text) <= excerptBytes) return text;
  const ascii = Buffer.byteLength(text) === text.length;
  const units = ascii ? excerptBytes : Math.floor(excerptBytes / 3);
  const spare = Math.max(0, units - (to - from));
  const start = Math.max(0, Math.min(from - Math.floor(spare / 2), text.length - units));
  return text.slice(wordStart(text, wholeAt(text, start), from), wholeAt(text, start + units));
}

/** The nearest place after `at` that does not part a surrogate pair. */
function wholeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
