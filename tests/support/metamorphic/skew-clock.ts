import { type CaseText, nodeOfFile, placeOf } from './case-text.ts';
import { mapStamps } from './stamps.ts';

/**
 * The clock of one node goes wrong by so many seconds: all that the node itself stamped, in its own log, its health
 * checks and its lines of the job's output. What the scheduler and the exporter's server stamp stays.
 */
export function skewClock(text: CaseText, node: string, seconds: number, year: number): CaseText {
  const millis = seconds * 1000;
  const shifted = (content: string): string =>
    mapStamps(content, year, stamp => ({ millis: stamp.millis + millis }));
  return new Map(
    [...text].map(([path, content]) => {
      if (nodeOfFile(path) === node) return [path, skewOwn(shifted(content), seconds)];
      const isJobText = placeOf(path)?.kind === 'job';
      return [
        path,
        isJobText ? content.replaceAll(/^.*$/gm, line => (isOf(line, node) ? shifted(line) : line)) : content,
      ];
    }),
  );
}

/** Whether a launcher's label or NCCL's prefix says that a node wrote the line. */
function isOf(line: string, node: string): boolean {
  const [, said] = /^(?:\d+: )?([\w.-]+):(?:\d+:\d+ \[\d+\]| )/.exec(line) ?? [];
  return said === node;
}

/** Stamps without a date: those of a kernel's own count where it is all there is, and the microseconds of an export. */
function skewOwn(content: string, seconds: number): string {
  const counted = content.replaceAll(/^\[ *(\d+)\.(\d{6})\]/gm, (whole, full: string, part: string) => {
    const moved = Number(full) + seconds;
    return moved < 0 ? whole : `[${String(moved).padStart(5)}.${part}]`;
  });
  return counted.replaceAll(
    /("_(?:SOURCE|)_?REALTIME_TIMESTAMP" ?: ?")(\d+)/g,
    (_, before: string, micros: string) => `${before}${BigInt(micros) + BigInt(seconds) * 1_000_000n}`,
  );
}
