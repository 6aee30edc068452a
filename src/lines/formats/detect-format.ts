import type { Origin } from '../../core/batch.ts';
import { job } from './job.ts';
import { lineFormats } from './line-formats.ts';

/** What a loose text looks like. `format` is a name of `lineFormats`, `sacct` or `scontrol`; `origin` the most it may count as. */
export interface DetectedFormat {
  readonly format: string;
  /** Null where nothing is recognised: then it may count as job text only. */
  readonly origin: Origin | null;
}

/**
 * Judges a loose text by sampled lines. One line of job text makes the whole text the job's, whatever else is in it: a
 * job's owner can print anything, and content may only lower trust. Otherwise at least half of the lines that are not
 * blank must have a shape, and all shapes the same origin, or nothing is recognised.
 */
export function detectFormat(lines: readonly string[]): DetectedFormat {
  const written = lines.filter(line => line.trim() !== '');
  if (written.some(line => job.fits(line))) return { format: job.name, origin: job.origin };
  const table = detectTable(written[0] ?? '');
  if (table !== null) return { format: table, origin: 'scheduler' };
  const shapes = written.flatMap(line => lineFormats.find(format => format.fits(line)) ?? []);
  const origins = new Set(shapes.map(({ origin }) => origin));
  const [origin] = origins;
  if (origin === undefined || origins.size > 1 || shapes.length * 2 < written.length) {
    return { format: 'auto', origin: null };
  }
  const names = new Set(shapes.map(({ name }) => name));
  const [name = 'auto'] = names;
  return { format: names.size === 1 ? name : 'auto', origin };
}

/** Slurm's tables tell by their first line. */
export function detectTable(first: string): 'sacct' | 'scontrol' | null {
  const start = first.slice(0, 4096);
  if (start.includes('|') && /^(?:[A-Za-z]{1,40}\|)*JobID(?:Raw)?\|/.test(start)) return 'sacct';
  return /^ {0,3}(?:JobId=\d|NodeName=\S)/.test(start) ? 'scontrol' : null;
}
