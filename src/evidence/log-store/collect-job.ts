import type { Batch } from '../../core/batch.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import { coverageGroup } from '../coverage.ts';
import { hoursOf } from './asked.ts';
import { isTextless, withoutText } from './count-lines.ts';
import { handOn, type ReadStreams } from './hand-on.ts';
import type { Cursor, StreamPart } from './log-store.ts';
import { readSelection } from './read-selection.ts';
import { type OriginReading, wholeSelection } from './reading.ts';
import { noCounts, storeCoverage, type Verdict } from './store-coverage.ts';
import { gatherStreams } from './stream-lines.ts';

/** Reads the text of one job. Whichever host shipped it, it is the text of no node. */
export async function* collectJob<C extends Cursor>(
  reading: OriginReading<C>,
): AsyncGenerator<Batch, SourceCoverage, void> {
  const { parts, asked, plan, signal } = reading;
  const counts = noCounts();
  const whole = wholeSelection(reading);
  const [told, textless] = await Promise.all([
    parts.store.count(whole, signal),
    parts.store.textless?.(whole, signal),
  ]);
  const total = told.ok ? (told.value.get('') ?? 0) : null;
  const few = total !== null && total <= parts.settings.unfilteredJobLines;
  const selection = { ...whole, cover: few ? null : (plan.cover.job ?? null) };
  const verdict = yield* readJob();
  const groups = [coverageGroup(verdict.status, [], verdict.reason)];
  return storeCoverage(parts.name, asked, parts.store.describe(selection), counts, groups);

  async function* readJob(): AsyncGenerator<Batch, Verdict, void> {
    if (total === 0) return { status: 'absent', reason: 'the store has no line of this job in the window' };
    if (!told.ok && told.trouble.status === 'timed_out') return told.trouble;
    if (textless?.ok === true && isTextless(textless.value, '')) return withoutText(textless.value);
    const handed = yield* handOn(reading, readText(), () => ({ node: null }), counts);
    if (handed.trouble !== null) return handed.trouble;
    const [lost] = handed.lost.values();
    if (lost !== undefined) return { status: 'truncated', reason: lost.join('; ') };
    if (textless?.ok === false && counts.lines === 0) return textless.trouble;
    if (total !== null || counts.lines > 0) return { status: 'complete', reason: null };
    const why = told.ok ? '' : `: ${told.trouble.reason}`;
    return { status: 'failed', reason: `its lines could not be counted${why}` };
  }

  async function readText(): Promise<ReadStreams> {
    const limits = { budget: reading.budget, slices: parts.concurrency };
    const [beginning, read] = await Promise.all([
      readBeginning(),
      readSelection(parts.store, selection, limits, signal),
    ]);
    const streams = gatherStreams([...beginning, ...read.parts]);
    return { streams, trouble: read.trouble, outside: read.outside };
  }

  /** Where ranks run and what the job is made of is said at its start, which may be long before the window. */
  async function readBeginning(): Promise<readonly StreamPart[]> {
    const { jobHours } = parts.settings;
    const { from } = asked.window;
    // The scope of a slow request is the epilog's time, not the job's.
    const told = plan.request.phase === 'fast' ? plan.request.scope.startTime : null;
    const start = told ?? from - hoursOf(jobHours);
    if (jobHours === 0 || start >= from) return [];
    const beginning = { ...whole, window: { from: start, to: from }, cover: plan.cover.job ?? null };
    const limits = { budget: reading.budget, slices: 1, firstPage: true };
    const read = await readSelection(parts.store, beginning, limits, signal);
    if (read.trouble !== null) counts.remarks.push(`the job's beginning was not read: ${read.trouble.reason}`);
    if (read.goesOn)
      counts.remarks.push('of what the job wrote before the window only the first page was read');
    return read.parts;
  }
}
