import type { AttributionRequest } from '../contract/index.ts';
import type { CoverageStatus, SourceCoverage } from '../core/coverage.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Metrics } from '../core/ports.ts';
import type { Symptom } from '../core/symptom.ts';
import { resultOf } from './result.ts';

const knownSchema = '0.1.0';

/** What one answered request adds to the metrics. */
export interface Answered {
  readonly request: AttributionRequest;
  readonly outcome: Outcome;
  readonly symptoms: readonly Symptom[];
  readonly isSessionSaved: boolean;
  readonly elapsedMs: number;
  /** In shadow nobody was told. */
  readonly mode: 'live' | 'shadow';
}

/** Figures of one answer, without nodes, jobs or users. */
export function measureAnswer(metrics: Metrics, answered: Answered): void {
  const { request, outcome, symptoms, isSessionSaved, elapsedMs, mode } = answered;
  const { phase } = request;
  metrics.count('attribution_requests_total', { phase, outcome: resultOf(outcome), mode });
  metrics.observe('attribution_request_duration_seconds', { phase }, elapsedMs / 1000);
  for (const { target, category } of outcome.findings) {
    metrics.count('attribution_verdicts_total', { target: target.type, category, mode });
  }
  for (const { rule } of symptoms.filter(isSuppressed)) {
    metrics.count('attribution_suppressed_total', { rule });
  }
  for (const [source, status] of worstBySource(outcome.coverage)) {
    metrics.count('attribution_source_requests_total', { source, outcome: status });
    if (status === 'truncated') metrics.count('attribution_source_truncated_total', { source });
  }
  if (request.schemaVersion !== knownSchema) metrics.count('attribution_foreign_schema_versions_total', {});
  if (!isSessionSaved) metrics.count('attribution_sessions_unsaved_total', {});
}

const isSuppressed = ({ blames, status, role }: Symptom): boolean =>
  blames !== 'nobody' && status === 'stable' && role !== 'initiating';

/** From bad to good. */
const order: readonly CoverageStatus[] = [
  'failed',
  'timed_out',
  'truncated',
  'unknown',
  'absent',
  'silent',
  'complete',
  'not_configured',
];

function worstBySource(coverage: readonly SourceCoverage[]): ReadonlyMap<string, CoverageStatus> {
  const worst = new Map<string, CoverageStatus>();
  for (const { source, groups } of coverage) {
    for (const { status } of groups) {
      const known = worst.get(source);
      if (known === undefined || order.indexOf(status) < order.indexOf(known)) worst.set(source, status);
    }
  }
  return worst;
}
