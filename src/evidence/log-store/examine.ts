import type { SourceCheck } from '../../core/ports.ts';
import { minute } from '../../core/time.ts';
import { hours } from '../asked.ts';
import { fail, firstAnswer, pass, warn } from '../checks.ts';
import type { Cursor, LogOrigin, Textless } from './log-store.ts';
import type { StoreParts } from './reading.ts';

/** What people call the streams of an origin. */
const called: Readonly<Record<LogOrigin, string>> = {
  kernel: 'kernel logs',
  health: 'epilog health checks',
  job: 'job text',
};

/** Whether a store can be reached, knows nodes, gets lines now, and reaches back. */
export async function examineLogStore<C extends Cursor>(
  parts: StoreParts<C>,
  signal: AbortSignal,
): Promise<readonly SourceCheck[]> {
  const { store, settings, tools } = parts;
  const now = tools.clock.now();
  const [origin] = store.origins;
  if (origin === undefined) return [fail('reads nothing: kernel, epilog and job are all off')];
  const recent = { from: now - 15n * minute, to: now };
  const { told, check } = await firstAnswer(tools.clock, () => store.hasLines(origin, recent, signal));
  if (!told.ok) return [check];
  const found = await Promise.all(
    store.origins.map(each => examineOrigin(parts, each, settings.knownHours, signal)),
  );
  return [check, ...found.flat()];
}

async function examineOrigin<C extends Cursor>(
  { store, tools }: StoreParts<C>,
  origin: LogOrigin,
  knownHours: number,
  signal: AbortSignal,
): Promise<readonly SourceCheck[]> {
  const now = tools.clock.now();
  const since = now - hours(knownHours);
  const name = called[origin];
  const selection = { origin, window: { from: since, to: now }, nodes: null, cover: null, workloadId: '1' };
  const { query } = store.describe(selection);
  const [recent, before, known, textless] = await Promise.all([
    store.hasLines(origin, { from: since, to: now }, signal),
    store.hasLines(origin, { from: since - hours(knownHours), to: since }, signal),
    origin === 'job' ? null : store.knownNodes(origin, selection.window, () => true, signal),
    // Whatever job the lines are of is not asked here.
    origin === 'job' ? null : store.textless?.(selection, signal),
  ]);
  const checks: SourceCheck[] = [];
  if (!recent.ok) checks.push(fail(`${name}: ${recent.trouble.reason}`));
  else if (recent.value) checks.push(pass(`${name}: lines in the last ${knownHours} h by ${query}`));
  else {
    const setting = origin === 'health' ? 'epilog' : origin;
    const remedy = `correct ${setting} (which lines they are), or write ${setting}: false where this store has none`;
    checks.push(warn(`${name}: no line in the last ${knownHours} h by ${query}`, remedy));
  }
  if (known !== null && recent.ok && recent.value) {
    if (!known.ok) checks.push(fail(`${name}: nodes cannot be listed: ${known.trouble.reason}`));
    else if (known.value.names.length === 0) {
      checks.push(fail(`${name}: no node is named`, ...known.value.remarks));
    } else checks.push(pass(`${name}: ${known.value.names.length} nodes sent lines`));
  }
  if (recent.ok && recent.value && textless?.ok === true) checks.push(...textCheck(name, textless.value));
  if (recent.ok && recent.value && before.ok) {
    const says = before.value
      ? pass(`${name}: lines reach back further than ${knownHours} h`)
      : warn(
          `${name}: nothing older than ${knownHours} h`,
          'expected in the first days; else raise the retention of the store',
        );
    checks.push(says);
  }
  return checks;
}

function textCheck(name: string, { names, remedy }: Textless): readonly SourceCheck[] {
  if (names !== 'all' && names.size === 0) return [];
  const whose = names === 'all' ? 'no line holds' : `no line of ${names.size} nodes holds`;
  return [fail(`${name}: ${whose} text where it is read`, remedy)];
}
