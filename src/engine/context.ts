import type { AttributionRequest } from '../contract/index.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { HistoryRow } from '../core/history.ts';
import type { Symptom } from '../core/symptom.ts';
import type { Nanos, Window } from '../core/time.ts';
import type { NodeDirectory } from '../lines/node-names.ts';

/**
 * Thresholds of reasoning; every one is a setting. Times are milliseconds. Each is chosen so that doubt spares a node:
 * a healthy node blamed costs more than a fault missed.
 */
export interface ReasoningSettings {
  /** The same S2-S3 symptom on at least this many nodes is one shared cause, and names none of them. */
  readonly sharedCauseNodes: number;
  /** Breadth guard: more nodes than this are never named together. */
  readonly maxNamedNodes: number;
  /** Unattributed targets listed at the most. */
  readonly maxUnattributed: number;
  /** Evidence items of one finding at the most, notes included. */
  readonly maxEvidence: number;
  /** Training progress later than this (and than two iterations) after a fault shows that the run survived it. */
  readonly survivedMs: number;
  /** Independent S1 faults that begin within this time of the first may each be named; later ones may not. */
  readonly sameMomentMs: number;
  /** How long after a collective got stuck a node's own log may still show the first sign of the cause. */
  readonly stuckGraceMs: number;
  /** An application error this much earlier than any sign of hardware is the cause; closer, the hardware is. */
  readonly applicationLeadMs: number;
  /** The same for nodes a scheduler reports, which says a node is lost minutes after it was. */
  readonly lateReportMs: number;
  /** What begins this long after the detection of a crash whose end is unknown did not cause it. */
  readonly detectionSlackMs: number;
  /** Devices that settle after a node started: link and ambiguous symptoms within this time say nothing. */
  readonly bootQuietMs: number;
  /** A link that is up again this soon was not missed: transports repeat what they sent for longer. */
  readonly flapMs: number;
  /** How long after it was announced a planned reboot or maintenance excuses what its node shows. */
  readonly maintenanceReachMs: number;
}

export const defaultReasoningSettings: ReasoningSettings = {
  sharedCauseNodes: 3,
  maxNamedNodes: 16,
  maxUnattributed: 64,
  maxEvidence: 20,
  survivedMs: 60_000,
  sameMomentMs: 60_000,
  stuckGraceMs: 180_000,
  applicationLeadMs: 30_000,
  lateReportMs: 600_000,
  detectionSlackMs: 120_000,
  bootQuietMs: 120_000,
  flapMs: 10_000,
  maintenanceReachMs: 3_600_000,
};

/** Everything the passes of explain and conclude may know besides the symptoms. */
export interface ReasoningContext {
  readonly request: AttributionRequest;
  readonly nodes: NodeDirectory;
  /** The job's nodes: the request's, else the scheduler's, else those the evidence speaks of. */
  readonly jobNodes: readonly string[];
  /** True where `scope.nodes` was given: nothing outside it is named. */
  readonly scopeGiven: boolean;
  /** Whether the job's nodes were known before its evidence was read. */
  readonly nodesTold: boolean;
  /** Slurm's number of the job, where it is known. */
  readonly jobId: string | null;
  readonly windows: readonly Window[];
  readonly epilogWindow: Window | null;
  /** The moment of failure (detection), wall clock. */
  readonly moment: Nanos;
  readonly jobStart: Nanos | null;
  /** Real end of the job, only where given or known from the scheduler. */
  readonly jobEnd: Nanos | null;
  readonly coverage: readonly SourceCoverage[];
  /** What earlier episodes showed on the job's nodes and GPUs; absent: nothing is known. */
  readonly history?: readonly HistoryRow[];
  readonly settings: ReasoningSettings;
}

/** One step of explain or conclude: pure, one file and one test each; the order stands in the list. */
export interface Pass {
  readonly name: string;
  run(symptoms: readonly Symptom[], context: ReasoningContext): readonly Symptom[];
}
