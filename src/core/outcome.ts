import type { ErrorCategory, ErrorType } from '../contract/index.ts';
import type { SourceCoverage } from './coverage.ts';
import type { Reference } from './symptom.ts';
import type { Target } from './target.ts';
import type { Nanos } from './time.ts';

/** What an item of evidence is: where it was read, or a remark of the adapter's own. */
export const evidenceKinds = [
  'kernel_log',
  'scheduler',
  'metric',
  'health_check',
  'job_text',
  'history',
  'note',
] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** A citation: the text as it stands at `reference`. Notes cite nothing and have no reference. */
export interface Evidence {
  readonly kind: EvidenceKind;
  readonly source: string;
  readonly observedAt: Nanos | null;
  readonly node: string | null;
  readonly message: string;
  readonly reference: Reference | null;
}

/** The conclusion about one target. `observedAt` is null where no evidence carries a time. */
export interface Finding {
  readonly target: Target;
  readonly category: ErrorCategory;
  readonly observedAt: Nanos | null;
  readonly evidence: readonly Evidence[];
  /** 0..1, or null where it is not calibrated. */
  readonly confidence: number | null;
}

export interface Problem {
  readonly type: ErrorType;
  readonly message: string;
}

/** Everything a provider returns. Coverage is required: what was not looked at is part of the answer. */
export interface Outcome {
  readonly findings: readonly Finding[];
  readonly unattributed: readonly Target[];
  readonly coverage: readonly SourceCoverage[];
  readonly problem: Problem | null;
}
