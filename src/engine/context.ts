import type { AttributionRequest } from '../contract/index.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { Symptom } from '../core/symptom.ts';
import type { Nanos, Window } from '../core/time.ts';
import type { NodeDirectory } from '../lines/node-names.ts';

/** Thresholds of reasoning; every one is a setting. */
export interface ReasoningSettings {
  /** One shared cause: the same S2-S3 symptom on at least this many nodes. */
  readonly sharedCauseNodes: number;
  /** Breadth guard: never name more nodes than this. */
  readonly maxNamedNodes: number;
  readonly maxUnattributed: number;
}

export const defaultReasoningSettings: ReasoningSettings = {
  sharedCauseNodes: 3,
  maxNamedNodes: 16,
  maxUnattributed: 64,
};

/** Everything the passes of explain and conclude may know besides the symptoms. */
export interface ReasoningContext {
  readonly request: AttributionRequest;
  readonly nodes: NodeDirectory;
  /** The job's nodes: the request's, else the scheduler's, else those the evidence speaks of. */
  readonly jobNodes: readonly string[];
  /** True where `scope.nodes` was given: nothing outside it is named. */
  readonly scopeGiven: boolean;
  readonly windows: readonly Window[];
  readonly epilogWindow: Window | null;
  /** The moment of failure (detection), wall clock. */
  readonly moment: Nanos;
  readonly jobStart: Nanos | null;
  /** Real end of the job, only where given or known from the scheduler. */
  readonly jobEnd: Nanos | null;
  readonly coverage: readonly SourceCoverage[];
  readonly settings: ReasoningSettings;
}

/** One step of explain or conclude: pure, one file and one test each; the order stands in the list. */
export interface Pass {
  readonly name: string;
  run(symptoms: readonly Symptom[], context: ReasoningContext): readonly Symptom[];
}
