import type { Random } from '../../../bench/incidents/random.ts';
import { type CaseText, linesOf, mapLogs } from './case-text.ts';

/** Every line of every log is written twice, as where two collectors ship one log. */
export function duplicateLines(text: CaseText): CaseText {
  return mapLogs(text, content =>
    linesOf(content)
      .map(line => `${line}\n${line}\n`)
      .join(''),
  );
}

/** A stretch of every log is shipped once more after it was shipped, as where a collector starts again. */
export function repeatStretches(text: CaseText, random: Random): CaseText {
  return mapLogs(text, content => {
    const lines = linesOf(content);
    const from = random.int(0, lines.length - 1);
    const to = Math.min(lines.length, from + random.int(1, 200));
    const again = [...lines.slice(0, to), ...lines.slice(from, to), ...lines.slice(to)];
    return `${again.join('\n')}\n`;
  });
}
