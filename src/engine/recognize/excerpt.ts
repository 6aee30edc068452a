import { endBeforeCut, startAfterCut } from '../cut-ends.ts';

export const excerptBytes = 4096;

/** Whether a text is the whole of what it was taken from, or goes on before or behind. */
export interface Ends {
  readonly isCutBefore: boolean;
  readonly isCutBehind: boolean;
}

const whole: Ends = { isCutBefore: false, isCutBehind: false };

/** The text where it is short, else what lies around `[from, to)`, so that at most 4 KiB are kept of any line. */
export function excerpt(text: string, from: number, to: number, ends: Ends = whole): string {
  const around = placeOf(text, from, to);
  const isCutBefore = around.from > 0 || ends.isCutBefore;
  const isCutBehind = around.to < text.length || ends.isCutBehind;
  return text.slice(
    isCutBefore ? startAfterCut(text, around.from, from) : 0,
    isCutBehind ? endBeforeCut(text, to < around.to ? to : from, around.to) : text.length,
  );
}

function placeOf(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  const bytes = text.length * 3 <= excerptBytes ? 0 : Buffer.byteLength(text);
  if (bytes <= excerptBytes) return { from: 0, to: text.length };
  const units = bytes === text.length ? excerptBytes : Math.floor(excerptBytes / 3);
  const spare = Math.max(0, units - (to - from));
  const start = Math.max(0, Math.min(from - Math.floor(spare / 2), text.length - units));
  return { from: wholeAt(text, start), to: wholeAt(text, start + units) };
}

/** The nearest place after `at` that does not part a surrogate pair. */
function wholeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
