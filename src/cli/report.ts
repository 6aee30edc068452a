import { datetimeFromWire, type Phase, phases, renderReport } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import { minute, type Nanos } from '../core/time.ts';
import { answeredFailures } from '../history/report/answered-failures.ts';
import { scoreFailures } from '../history/report/score-failures.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { GlobalOptions } from './command.ts';
import { reportText } from './report-text.ts';
import { styleFor } from './terminal.ts';
import { withStores } from './with-stores.ts';

export interface ReportOptions {
  readonly since?: string;
  readonly phase?: string;
  readonly shadow?: boolean;
  readonly state?: string;
  readonly output?: string;
}

/** Prints what was answered, or in shadow mode would have been, beside what was marked. */
export async function report(options: ReportOptions, globals: GlobalOptions): Promise<number> {
  const { output = 'table' } = options;
  if (output !== 'table' && output !== 'json') {
    throw new StartupError(`-o ${output}: must be one of table, json`);
  }
  const to = systemClock.now();
  const from = sinceOf(options.since ?? '14d', to);
  const asked = { from, phase: phaseOf(options.phase), shadowOnly: options.shadow === true };
  const told = await withStores(options.state, globals, async ({ audit, marks }) =>
    scoreFailures(await answeredFailures(audit, asked), await marks.all(), { from, to }),
  );
  const style = styleFor(process.stdout, globals.color, process.env);
  process.stdout.write(output === 'json' ? `${renderReport(told)}\n` : reportText(told, style));
  return 0;
}

const units: Readonly<Record<string, Nanos>> = { h: 60n * minute, d: 24n * 60n * minute };

function sinceOf(text: string, now: Nanos): Nanos {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,4})([hd])$/.exec(text) ?? [];
  const length = units[unit];
  if (length !== undefined) return now - BigInt(count) * length;
  const at = datetimeFromWire(text);
  if (at !== null) return at;
  throw new StartupError(
    `--since ${text}: write days or hours such as 14d or 36h, or a datetime with its offset`,
  );
}

function phaseOf(text: string | undefined): Phase | null {
  if (text === undefined) return null;
  const phase = phases.find(each => each === text);
  if (phase !== undefined) return phase;
  throw new StartupError(`--phase ${text}: must be one of ${phases.join(', ')}`);
}
