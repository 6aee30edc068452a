import { dcgmDiagnosis } from './dcgm-diagnosis.ts';
import { gpudStates } from './gpud-states.ts';
import type { HealthDocument, HealthReport } from './health-document.ts';
import { nodeVerdict } from './node-verdict.ts';

/** Every document that is read, in the order in which it is tried. */
const documents: readonly HealthDocument[] = [dcgmDiagnosis, nodeVerdict, gpudStates];

/** Texts of which every document contains one, as written. */
export const healthMarkers: readonly string[] = documents.flatMap(({ markers }) => markers);

/** What a parsed JSON document reports, or null where no health check prints the like. */
export function readHealthDocument(value: unknown): HealthReport | null {
  for (const document of documents) {
    const report = document.parse(value);
    if (report !== null) return report;
  }
  return null;
}
