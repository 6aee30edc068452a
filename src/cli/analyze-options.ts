import type { Phase } from '../contract/index.ts';
import { datetimeFromWire } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import type { Nanos } from '../core/time.ts';
import { expandHostList } from '../lines/host-list.ts';

/** What `analyze` was asked, checked. */
export interface AnalyzeRequest {
  readonly nodes: readonly string[];
  readonly job: string | null;
  readonly start: Nanos | null;
  readonly end: Nanos | null;
  /** When it failed, where that is not the job's end. */
  readonly at: Nanos | null;
  readonly phase: Phase | null;
  readonly timezone: string | null;
  readonly output: 'table' | 'json';
  /** Also why, and what would have changed it. */
  readonly explain: boolean;
}

/** The options as they stand on the command line. */
export interface AnalyzeOptions {
  readonly nodes?: string;
  readonly job?: string;
  readonly start?: string;
  readonly end?: string;
  readonly at?: string;
  readonly phase?: string;
  readonly timezone?: string;
  readonly output?: string;
  readonly explain?: boolean;
}

const mostNodes = 100_000;

/** Throws StartupError naming the option, its value and what it should be. */
export function readAnalyzeOptions(options: AnalyzeOptions): AnalyzeRequest {
  const output = oneOf('-o', options.output ?? 'table', ['table', 'json'] as const);
  const phase = options.phase === undefined ? null : oneOf('--phase', options.phase, ['fast', 'slow'] as const);
  const start = timeOf('--start', options.start);
  const end = timeOf('--end', options.end);
  if (start !== null && end !== null && start >= end) {
    throw new StartupError(`--start ${options.start} does not lie before --end ${options.end}`);
  }
  if (phase === 'slow' && (start === null || end === null)) {
    throw new StartupError('--phase slow reads the epilog window: give it with --start and --end');
  }
  return {
    nodes: nodesOf(options.nodes),
    job: options.job ?? null,
    start,
    end,
    at: timeOf('--at', options.at),
    phase,
    timezone: options.timezone ?? null,
    output,
    explain: options.explain === true,
  };
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(word => word === value);
  if (found === undefined) throw new StartupError(`${option} ${value}: must be one of ${allowed.join(', ')}`);
  return found;
}

function nodesOf(list: string | undefined): readonly string[] {
  if (list === undefined) return [];
  const expanded = expandHostList(list, mostNodes);
  if (!expanded.ok) throw new StartupError(`--nodes ${list}: ${expanded.message}`);
  return expanded.names;
}

/** Times as the contract reads them: RFC 3339 with an offset. */
function timeOf(option: string, text: string | undefined): Nanos | null {
  if (text === undefined) return null;
  const instant = datetimeFromWire(text);
  if (instant !== null) return instant;
  throw new StartupError(`${option} ${text}: write a time with its offset, such as 2026-03-02T10:14:33Z`);
}
