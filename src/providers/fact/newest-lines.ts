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

/** Keeps at most `budget` characters of lines; the newest line always fits, cut at its end if need be. */
export function newestLines(budget: number): NewestLines {
  let kept: StampedLine[] = [];
  let oldest = 0;
  let size = 0;
  let cut = false;
  let open = '';

  function push(line: StampedLine): void {
    const text = line.text.length > budget ? line.text.slice(0, budget) : line.text;
    cut ||= text.length < line.text.length;
    kept.push({ ...line, text });
    size += text.length + 1;
    while (size > budget + 1 && oldest < kept.length - 1) {
      size -= (kept[oldest]?.text.length ?? 0) + 1;
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
