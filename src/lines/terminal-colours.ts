const open = '\u001b[';
/** What stands between `ESC[` and `m`: numbers and their separators. */
const colour = /[\d;]{0,16}m/y;

/** A line without the colours that `dmesg --color` and its like leave in files when a terminal was recorded. */
export interface ColourlessLine {
  readonly text: string;
  /** Where in the line as it was written a place in `text` lies. */
  placeOf(at: number): number;
}

/** Other control sequences stay: they are part of what somebody wrote. */
export function withoutColours(line: string): ColourlessLine {
  const cuts: { readonly at: number; readonly length: number }[] = [];
  let text = '';
  let from = 0;
  for (let start = line.indexOf(open); start >= 0; start = line.indexOf(open, start + 1)) {
    colour.lastIndex = start + open.length;
    if (!colour.test(line)) continue;
    text += line.slice(from, start);
    cuts.push({ at: text.length, length: colour.lastIndex - start });
    from = colour.lastIndex;
  }
  text += line.slice(from);
  return {
    text,
    placeOf: at => cuts.reduce((place, cut) => (cut.at <= at ? place + cut.length : place), at),
  };
}

/** Whether a line begins with a colour. */
export function beginsColoured(line: string): boolean {
  return line.startsWith(open);
}
