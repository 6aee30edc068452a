import type { SourceCoverage } from '../core/coverage.ts';

/** Queries, reasons and remarks may carry what a message may. */
export function redactCoverage(entry: SourceCoverage, redact: (text: string) => string): SourceCoverage {
  return {
    ...entry,
    query: entry.query === null ? null : redact(entry.query),
    groups: entry.groups.map(group => ({
      ...group,
      reason: group.reason === null ? null : redact(group.reason),
    })),
    remarks: entry.remarks.map(redact),
  };
}
