import type { Random } from '../../../bench/incidents/random.ts';
import { type CaseText, isLog, linesOf, mapLogs, placeOf } from './case-text.ts';
import { daemonNoise, jobNoise, kernelNoise, linksAtBoot, schedulerNoise } from './noise-lines.ts';

/**
 * Nine lines of noise for every line of a log, of what such a log is full of, written as its neighbours are. It comes
 * in bursts between messages: what one writer wrote at once stays together.
 */
export function addNoise(text: CaseText, random: Random): CaseText {
  return mapLogs(text, (content, path) => {
    const kind = placeOf(path)?.kind;
    if (kind === 'job') return withBursts(linesOf(content), random, jobParts);
    if (kind === 'scheduler') return withBursts(linesOf(content), random, schedulerParts);
    return withBursts(linesOf(content), random, kernelParts);
  });
}

/** How a kind of log is written. */
interface LogParts {
  /** Whether another writer may come in between two lines. */
  mayPart(before: string, after: string): boolean;
  /** A line of noise written like another line, or null where that one cannot be copied. */
  noiseLike(line: string, random: Random, isFirst: boolean): string | null;
}

const perLine = 9;
const places = 12;

function withBursts(lines: readonly string[], random: Random, parts: LogParts): string {
  const gaps = lines.slice(0, -1).flatMap((line, at) => (parts.mayPart(line, lines[at + 1] ?? '') ? [at] : []));
  if (gaps.length === 0) return `${lines.join('\n')}\n`;
  const chosen = [...new Set([gaps[0] ?? 0, ...random.some(gaps, Math.ceil(lines.length / places))])];
  const burst = Math.ceil((lines.length * perLine) / chosen.length);
  const noisy = new Set(chosen);
  const out = lines.flatMap((line, at) => {
    if (!noisy.has(at)) return [line];
    const made = Array.from({ length: burst }, () => parts.noiseLike(line, random, at === chosen[0]));
    return [line, ...made.filter(each => each !== null)];
  });
  return `${out.join('\n')}\n`;
}

/** To the second: what is told in several lines bears one. */
const secondOf = (line: string): string => /^.*?\d\d:\d\d:\d\d|^\[ *\d+/.exec(line)?.[0] ?? line.slice(0, 24);

/** What stands before the message: a stamp, then where it is a syslog the host and who writes. */
const kernelPrefix =
  /^(?:(?<dmesg>\[[^\]]+\] |\d{4}-\d\d-\d\dT\S+,\d+\S+ )|(?<syslog>(?:<\d+>1 )?(?:\d{4}-\S+|\w{3} [ \d]\d \S+) [\w.-]+ )(?:kernel: (?<counted>\[ *[\d.]+\] )?|(?<structured>[\w.-]+ \S+ \S+ \S+ )|[\w./-]+(?:\[\d+\])?: ))/;

const kernelParts: LogParts = {
  mayPart: (before, after) => secondOf(before) !== secondOf(after),
  noiseLike(line, random, isFirst) {
    const message = isFirst && random.chance(0.2) ? linksAtBoot(random) : kernelNoise(random);
    if (line.startsWith('{')) return asExport(line, message);
    const { dmesg, syslog, counted = '', structured } = kernelPrefix.exec(line)?.groups ?? {};
    if (dmesg !== undefined) return `${dmesg}${message}`;
    if (syslog === undefined) return null;
    if (structured !== undefined) return `${syslog}kernel - - - ${message}`;
    return random.chance(0.5) ? `${syslog}kernel: ${counted}${message}` : `${syslog}${daemonNoise(random)}`;
  },
};

/** An entry of the journal with another message. */
function asExport(line: string, message: string): string | null {
  const entry = JSON.parse(line) as Record<string, unknown>;
  if (entry['_TRANSPORT'] !== 'kernel') return null;
  return JSON.stringify({ ...entry, MESSAGE: message, PRIORITY: '6' });
}

const label = /^(?:\d+: |[\w.-]+: (?=\S))?(?:\[rank\d+\]: )?/;
const unlabelled = (line: string): string => line.replace(label, '');

const jobParts: LogParts = {
  mayPart(before, after) {
    const [told, next] = [unlabelled(before), unlabelled(after)];
    const goesOn = /^\s|^$|^[-=]{3}/;
    return !goesOn.test(told) && !goesOn.test(next) && !/:\s*$|^Traceback/.test(told) && told !== '';
  },
  noiseLike: (line, random) => `${/^\d+: /.exec(line)?.[0] ?? ''}${jobNoise(random)}`,
};

const schedulerParts: LogParts = {
  mayPart: () => true,
  noiseLike: (line, random) => {
    const stamp = /^\[[^\]]+\] /.exec(line)?.[0];
    return stamp === undefined ? null : `${stamp}${schedulerNoise(random)}`;
  },
};

/** How many lines the logs of a case have. */
export function countLines(text: CaseText): number {
  return [...text].reduce(
    (sum, [path, content]) => sum + (isLog(path, content) ? linesOf(content).length : 0),
    0,
  );
}
