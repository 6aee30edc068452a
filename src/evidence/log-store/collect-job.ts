import type { LineBatch } from '../../core/batch.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import { coverageGroup } from '../coverage.ts';
import { handOn } from './hand-on.ts';
import type { Cursor } from './log-store.ts';
import { type OriginReading, wholeSelection } from './reading.ts';
import { noCounts, storeCoverage, type Verdict } from './store-coverage.ts';

/** Reads the text of one job. Whichever host shipped it, it is the text of no node. */
export async function* collectJob<C extends Cursor>(
  reading: OriginReading<C>,
): AsyncGenerator<LineBatch, SourceCoverage, void> {
  const { parts, asked, plan, signal } = reading;
  const counts = noCounts();
  const whole = wholeSelection(reading);
  const told = await parts.store.count(whole, signal);
  const total = told.ok ? (told.value.get('') ?? 0) : null;
  const few = total !== null && total <= parts.settings.unfilteredLines;
  const selection = { ...whole, cover: few ? null : (plan.cover.job ?? null) };
  const verdict = yield* readJob();
  const groups = [coverageGroup(verdict.status, [], verdict.reason)];
  return storeCoverage(parts.name, asked, parts.store.describe(selection), counts, groups);

  async function* readJob(): AsyncGenerator<LineBatch, Verdict, void> {
    if (total === 0) return { status: 'absent', reason: 'the store has no line of this job in the window' };
    if (!told.ok && told.trouble.status === 'timed_out') return told.trouble;
    const handed = yield* handOn(reading, selection, () => ({ node: null }), counts);
    if (handed.trouble !== null) return handed.trouble;
    if (total !== null || counts.lines > 0) return { status: 'complete', reason: null };
    const why = told.ok ? '' : `: ${told.trouble.reason}`;
    return { status: 'failed', reason: `its lines could not be counted${why}` };
  }
}
