import { datetimeToWire } from './datetime-wire.ts';
import type { EpochNanos } from './vocabulary.ts';

/** How often something said was right. Rates are null where there was nothing to be right about. */
export interface ReportScore {
  readonly named: number;
  readonly right: number;
  readonly wrong: number;
  /** At fault and not named. */
  readonly missed: number;
  readonly precision: number | null;
  readonly recall: number | null;
}

/** What the findings of one rule, or of a family of them, came to. */
export interface ReportRow {
  /** Id and code of the rule, or the category where the provider tells no rules. */
  readonly name: string;
  readonly named: number;
  readonly right: number;
  readonly wrong: number;
  /** Of failures that were looked at and cannot be told. */
  readonly untold: number;
  /** Of failures that nobody marked. */
  readonly unmarked: number;
}

/** One failure, and what was said of it. */
export interface ReportFailure {
  /** Session of the answers, else the request: what to mark, and to show. */
  readonly about: string;
  readonly workloadId: string;
  readonly answeredAt: EpochNanos;
  readonly shadow: boolean;
  readonly nodes: readonly string[];
  readonly job: boolean;
}

/** A marked failure of which something was said that is wrong, or was not said that is right. */
export interface ReportMistake extends ReportFailure {
  /** Nodes that were at fault; none: the application was. */
  readonly atFault: readonly string[];
  readonly note: string;
}

/** What was answered, or in shadow mode would have been, beside what operators marked. */
export interface Report {
  readonly from: EpochNanos;
  readonly to: EpochNanos;
  readonly failures: number;
  readonly shadow: number;
  readonly marked: number;
  readonly node: ReportScore;
  /** The job as a whole, which is right where the application was at fault. */
  readonly job: ReportScore;
  /** Marked failures of which nothing was said, by what was at fault. */
  readonly abstained: { readonly nodes: number; readonly application: number; readonly unknown: number };
  readonly rules: readonly ReportRow[];
  readonly families: readonly ReportRow[];
  readonly mistakes: readonly ReportMistake[];
  readonly unmarked: readonly ReportFailure[];
}

export function renderReport(report: Report): string {
  return JSON.stringify({
    from: datetimeToWire(report.from),
    to: datetimeToWire(report.to),
    failures: report.failures,
    shadow: report.shadow,
    marked: report.marked,
    node: report.node,
    job: report.job,
    abstained: report.abstained,
    rules: report.rules,
    families: report.families,
    mistakes: report.mistakes.map(({ atFault, note, ...failure }) => ({
      ...failureToWire(failure),
      at_fault: atFault,
      note,
    })),
    not_marked: report.unmarked.map(failureToWire),
  });
}

function failureToWire({ workloadId, answeredAt, ...failure }: ReportFailure): object {
  return { ...failure, workload_id: workloadId, answered_at: datetimeToWire(answeredAt) };
}
