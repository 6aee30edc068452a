import type { BatchHeader } from '../../core/batch.ts';
import { parseLine } from '../../lines/formats/line-formats.ts';
import { lineDating } from './stream-dating.ts';

/** `job`, `JobID`, `SLURM_JOB_ID`, `job.number`: words after which the number of a job stands, at once or after a filler. */
const naming = /^(?:slurm[_.]?)?(?:job|workload)[_.]?(?:id|number|num|nr|no)?$/;
const fillers = new Set(['id', 'number', 'num', 'nr', 'no', 'of', 'is', 'was', 'for']);
/** What is done for a job: `epilog of 42`. */
const doing = new Set(['epilog', 'prolog', 'check', 'checks', 'health', 'results']);
const longestLine = 1024;

/**
 * Whether what stands in a log of health checks may have been found after another job than the one that is asked about:
 * lines without a time name another job, or several. Such a log goes on from job to job. Lines with a time are dated, of
 * whatever job they are, and date none but themselves.
 */
export function mayBeOfAnotherJob(
  lines: readonly string[],
  { format, dating, stream }: Pick<BatchHeader, 'format' | 'dating' | 'stream'>,
  job: string | null,
): boolean {
  const own = lineDating(dating, stream);
  const undated = lines.filter(line => {
    return parseLine(format, line.slice(0, longestLine), own).instant?.nanos == null;
  });
  const jobs = new Set(undated.flatMap(line => jobsIn(line.slice(0, longestLine))));
  if (job !== null) jobs.delete(job);
  return jobs.size >= (job === null ? 2 : 1);
}

/** Numbers of jobs that a line names, also as members of JSON. */
function jobsIn(line: string): readonly string[] {
  const words = line
    .toLowerCase()
    .split(/[\s"'{}()[\],;:=#]+/)
    .filter(word => word !== '');
  return words.flatMap((word, at) => {
    const next = words[at + 1] ?? '';
    const isNamed = naming.test(word) || (doing.has(word) && (next === 'of' || next === 'for'));
    if (!isNamed) return [];
    const number = /^(\d{1,12})(?:[_+.]|$)/.exec((fillers.has(next) ? words[at + 2] : next) ?? '')?.[1];
    return number === undefined ? [] : [number];
  });
}
