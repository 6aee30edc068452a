import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openCorpus } from '../../../src/app/engine.ts';
import {
  openReplays,
  type Replay,
  type ReplayReading,
  type Replays,
  type Through,
} from '../../../src/cli/replay-case.ts';
import type { ReadResponse } from '../../../src/contract/index.ts';
import { silentLog } from '../silent-log.ts';
import { type CaseText, withCase } from './case-text.ts';

/** Every transformation of everything takes minutes: without this a share of it runs, drawn by the seed. */
export const isWhole: boolean = process.env['METAMORPHIC'] === 'all';
/** What all that is drawn is drawn by; a failure names it. */
export const seed: string = process.env['SEED'] ?? '1';

const root = join(import.meta.dirname, '../../../cases');
/** Folders of all recorded failures. */
export const caseFolders: readonly string[] = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => join(root, entry.name));

/** Nothing is cut by a deadline: a busy machine is to give the same answers as an idle one. */
const timeless: Through = {
  source: source => source,
  pool: pool => pool,
  clock: now => ({ now: () => now, elapsedMs: () => 0, after: () => () => {} }),
};

export async function openSharedReplays(workers: number): Promise<Replays> {
  const corpus = await openCorpus();
  return openReplays({ corpus, log: silentLog, packageVersion: '0.0.0', workers, through: timeless });
}

/** Answers a case given as texts. */
export async function answerText(replays: Replays, text: CaseText, reading?: ReplayReading): Promise<Replay> {
  return withCase(text, folder => replays.replay(folder, reading));
}

/** Whom each phase's answer blames, when and of what, and its problem. */
export interface Verdict {
  readonly blamed: readonly string[];
  readonly error: string | null;
}

export function verdictsOf({ fast, slow }: Replay): readonly Verdict[] {
  return slow === null ? [verdictOf(fast)] : [verdictOf(fast), verdictOf(slow)];
}

function verdictOf({ attributions, error }: ReadResponse): Verdict {
  const blamed = attributions.map(({ target, category }) =>
    target.type === 'Node' ? `${target.node} ${category}` : `the job ${category}`,
  );
  return { blamed: blamed.sort(), error: error?.type ?? null };
}

/** When what each finding tells was observed. */
export function timesOf({ fast, slow }: Replay): readonly string[] {
  return [fast, slow].flatMap(answer => answer?.attributions.map(finding => String(finding.observedAt)) ?? []);
}

/** Nodes that an answer of either phase names. */
export function namedNodes({ fast, slow }: Replay): readonly string[] {
  const findings = [fast, slow].flatMap(answer => answer?.attributions ?? []);
  return [...new Set(findings.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : [])))];
}
