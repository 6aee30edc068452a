/** One metric of the service, as the operations listener shows it. */
export interface MetricDescription {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Everything that is counted. No label holds a node, a job or a user: their number is not bounded. */
export const metricList: Readonly<Record<string, MetricDescription>> = {
  attribution_build_info: {
    kind: 'gauge',
    help: 'Always 1: which version answers, with which rules.',
    labels: ['version', 'corpus'],
  },
  attribution_requests_total: {
    kind: 'counter',
    help: 'Requests for an attribution that were answered, by what the answer says, or in shadow mode would say.',
    labels: ['phase', 'outcome', 'mode'],
  },
  attribution_request_duration_seconds: {
    kind: 'histogram',
    help: 'Seconds from a request to its answer.',
    labels: ['phase'],
    buckets: seconds,
  },
  attribution_refused_requests_total: {
    kind: 'counter',
    help: 'Requests refused before their body was read, by reason: unauthenticated or overload.',
    labels: ['reason'],
  },
  attribution_foreign_schema_versions_total: {
    kind: 'counter',
    help: 'Requests of another schema version than ours.',
    labels: [],
  },
  attribution_verdicts_total: {
    kind: 'counter',
    help: 'Findings, by whom they name and of what category; in shadow mode nobody was told.',
    labels: ['target', 'category', 'mode'],
  },
  attribution_suppressed_total: {
    kind: 'counter',
    help: 'Symptoms that blame somebody and were explained away, by their rule.',
    labels: ['rule'],
  },
  attribution_source_requests_total: {
    kind: 'counter',
    help: 'Readings of a source for a request, by how they ended: the worst coverage of any node.',
    labels: ['source', 'outcome'],
  },
  attribution_source_truncated_total: {
    kind: 'counter',
    help: 'Readings of a source that were cut by a limit.',
    labels: ['source'],
  },
  attribution_provider_faults_total: {
    kind: 'counter',
    help: 'What a provider module did outside any answer: stray errors, malformed reports, threads that ended or never yield.',
    labels: ['kind'],
  },
  attribution_sessions_unsaved_total: {
    kind: 'counter',
    help: 'Answers whose session could not be saved.',
    labels: [],
  },
};
