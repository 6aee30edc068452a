import type { Nanos } from '../../core/time.ts';

export interface StampedLine {
  readonly text: string;
  /** What a store stamped it with; null where it stood in a file. */
  readonly stored: Nanos | null;
}

/** The newest lines of one stream within a budget of bytes. */
export interface NewestLines {
  /** Own text of the next batch, oldest first; it may end within a line. */
  add(text: string, stored: (line: number) => Nanos | null): void;
  lines(): readonly StampedLine[];
  /** Whether older lines had to go. */
  isCut(): boolean;
}

/** What a line takes of a budget. */
export function lineBytes(text: string): number {
  return Buffer.byteLength(text) + 1;
}

/** Keeps at most `budget` bytes of lines; the newest line always fits, cut at its end if need be. */
export function newestLines(budget: number): NewestLines {
  let kept: StampedLine[] = [];
  let oldest = 0;
  let size = 0;
  let cut = false;
  let open = '';

  function push(line: StampedLine): void {
    const text = lineBytes(line.text) > budget + 1 ? beginningOf(line.text, budget) : line.text;
    cut ||= text.length < line.text.length;
    kept.push({ ...line, text });
    size += lineBytes(text);
    while (size > budget + 1 && oldest < kept.length - 1) {
      size -= lineBytes(kept[oldest]?.text ?? '');
      oldest += 1;
      cut = true;
    }
    if (oldest > 1024 && oldest * 2 > kept.length) {
      kept = kept.slice(oldest);
      oldest = 0;
    }
  }

  return {
    add(text, stored) {
      const parts = `${open}${text}`.split('\n');
      open = parts.pop() ?? '';
      for (const [index, part] of parts.entries()) {
        const line = part.endsWith('\r') ? part.slice(0, -1) : part;
        if (line !== '') push({ text: line, stored: stored(index) });
      }
    },
    lines() {
      if (open !== '') push({ text: open, stored: null });
      open = '';
      return kept.slice(oldest);
    },
    isCut: () => cut,
  };
}

/** As many whole characters as fit. */
function beginningOf(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
