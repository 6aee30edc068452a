import { entriesOf } from '../json-value.ts';
import { dcgmDiagnosis } from './dcgm-diagnosis.ts';
import { gpudStates } from './gpud-states.ts';
import type { HealthDocument, HealthReport } from './health-document.ts';
import { nodeVerdict } from './node-verdict.ts';

/** Every document that is read, in the order in which it is tried. */
const documents: readonly HealthDocument[] = [dcgmDiagnosis, nodeVerdict, gpudStates];

/** Texts of which every document contains one, as written. */
export const healthMarkers: readonly string[] = documents.flatMap(({ markers }) => markers);

/** Those that nothing else is likely to have: what has one and was not read is a loss. */
export const tellingMarkers: readonly string[] = [dcgmDiagnosis, nodeVerdict].flatMap(({ markers }) => markers);

/** What a parsed JSON document reports, or each entry of a list; `rest` counts entries of a list that are none. */
export function readHealthDocuments(value: unknown): {
  readonly reports: readonly HealthReport[];
  readonly rest: number;
} {
  const parts = Array.isArray(value) ? entriesOf(value) : [value];
  const reports = parts.flatMap(part => readDocument(part) ?? []);
  return { reports, rest: parts.length - reports.length };
}

function readDocument(value: unknown): HealthReport | null {
  for (const document of documents) {
    const report = document.parse(value);
    if (report !== null) return report;
  }
  return null;
}
