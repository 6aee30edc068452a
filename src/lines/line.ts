import type { Origin } from '../core/batch.ts';
import type { Instant, Nanos } from '../core/time.ts';

/** What the prefixes of one line say, before any rule looks at its message. */
export interface ParsedLine {
  /** From this line's own stamp; null where it carries none. */
  readonly instant: Instant | null;
  /** Host named by the line's own prefix (syslog, journald, NCCL, `host: ` labels). */
  readonly host: string | null;
  /** Program that wrote it (syslog tag, journald identifier). */
  readonly program: string | null;
  readonly pid: number | null;
  /** `[rank7]`, `[Rank 7]`: the process group's global rank. */
  readonly rank: number | null;
  /** srun's `7: ` label: a task, which is a rank only where a task has one. */
  readonly task: number | null;
  /** The `[3]` of an NCCL prefix: local GPU index. */
  readonly gpu: number | null;
  /** Where the message begins in the line. */
  readonly messageAt: number;
}

/** One format of log lines. Each has a file and a test of its own. */
export interface LineFormat {
  readonly name: string;
  /** What a loose file of this format may be taken for, at the most. */
  readonly origin: Origin | null;
  /** Whether a line has this format's shape. */
  fits(line: string): boolean;
  parse(line: string, dating: LineDating): ParsedLine | null;
}

/** How to date the lines of one stream; `clock` is the identity two stamps must share to be exact to each other. */
export interface LineDating {
  readonly zone: string;
  readonly zoneAssumed: boolean;
  readonly year: number | null;
  readonly bootNanos: bigint | null;
  /** An instant near which the lines were written; decides the year across New Year, where `year` alone cannot. */
  readonly near?: Nanos | null;
  readonly clock: string;
}
