import type { BatchHeader } from '../../core/batch.ts';
import { parseLine } from '../../lines/formats/line-formats.ts';
import { lineDating } from './stream-dating.ts';

/** `job 42:`, `JobID=42`, `SLURM_JOB_ID=42_7`, as one word after another. */
const naming = /^(?:slurm_)?job(?:_?id)?[=:#]?(\d{1,12})?(?![A-Za-z-])/;
const longestLine = 1024;

/**
 * Whether what stands in a log of health checks may have been found after another job than the one that is asked about:
 * no line of it has a time, and lines name another job, or several. Such a log goes on from job to job.
 */
export function mayBeOfAnotherJob(
  lines: readonly string[],
  { format, dating, stream }: Pick<BatchHeader, 'format' | 'dating' | 'stream'>,
  job: string | null,
): boolean {
  const jobs = new Set(lines.flatMap(line => jobsIn(line.slice(0, longestLine))));
  if (job !== null) jobs.delete(job);
  if (jobs.size < (job === null ? 2 : 1)) return false;
  const own = lineDating(dating, stream);
  return !lines.some(line => parseLine(format, line.slice(0, longestLine), own).instant?.nanos != null);
}

/** Numbers of jobs that a line names. */
function jobsIn(line: string): readonly string[] {
  const words = line.toLowerCase().split(/[\s,;()[\]"']+/);
  return words.flatMap((word, at) => {
    const match = naming.exec(word);
    if (match === null) return [];
    const next = words[words[at + 1] === 'id' ? at + 2 : at + 1] ?? '';
    const number = match[1] ?? /^#?(\d{1,12})(?:[_+.:]|$)/.exec(next)?.[1];
    return number === undefined ? [] : [number];
  });
}
