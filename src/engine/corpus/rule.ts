import type { Saying } from './sayings.ts';
import type {
  Blames,
  ErrorCategory,
  Inhibition,
  Origin,
  RuleRole,
  RuleStatus,
  Strength,
} from './vocabulary.ts';

/** Further lines a line rule needs, or must not have: up to 4, each in reach of the one before that was needed. */
export interface ThenMatch {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Reach in lines (at most 64) or in seconds between stamps; exactly one is set. */
  readonly lines: number | null;
  readonly seconds: number | null;
  readonly direction: 'forward' | 'backward';
  /** Demands an equal pid or device in both lines. */
  readonly same: 'pid' | 'device' | null;
  /** There must be no such line in reach. */
  readonly absent: boolean;
}

export interface LineMatch {
  readonly kind: 'line';
  readonly origins: readonly Origin[];
  /** ASCII case-insensitive; a line is looked at only if it contains one. */
  readonly keywords: readonly string[];
  /** Linear-time, case-sensitive unless `ignoreCase`, unanchored, over the line's whole text; named groups of `captureNames`. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** A pattern that takes the match back where the line holds it, too: what a message says of its own worth. */
  readonly unless: string | null;
  /** Shared sayings without which there is no match. */
  readonly says: readonly Saying[];
  /** Shared sayings that take the match back. */
  readonly unlessSays: readonly Saying[];
  /** `then` in the file. */
  readonly further: readonly ThenMatch[];
}

/** Exactly one of the conditions is set. Thresholds are in the metric's own unit. */
export interface SampleMatch {
  readonly kind: 'sample';
  readonly metrics: readonly string[];
  /** The last value differs from the first inside the window (and is not zero). */
  readonly changed: boolean;
  /** With `changed`: the series takes one of these values after others; empty: any. */
  readonly to: readonly number[];
  readonly increasedBy: number | null;
  readonly above: number | null;
  readonly below: number | null;
  /** Distance from the median of the job's nodes, in the metric's unit. */
  readonly awayFromMedianBy: number | null;
}

export interface StateMatch {
  readonly kind: 'state';
  readonly entity: 'job' | 'node' | 'check';
  readonly field: string;
  /** Whole words of the value, compared without case (`DOWN*+DRAIN` has the words DOWN and DRAIN); empty if `pattern` is set. */
  readonly values: readonly string[];
  readonly pattern: string | null;
  /** A pattern that takes the match back where the value holds it, too. */
  readonly unless: string | null;
  /** Shared sayings without which there is no match. */
  readonly says: readonly Saying[];
  /** Shared sayings that take the match back. */
  readonly unlessSays: readonly Saying[];
}

export interface CountCondition {
  readonly atLeast: number;
  readonly withinSeconds: number;
  readonly by: 'node' | 'device' | 'link';
}

export interface RuleExample {
  /** One or more lines, or for states `field: value`, or for samples the values of a series. */
  readonly text: string;
  readonly origin: Origin | null;
  readonly captures: Readonly<Record<string, string>>;
  /** Other rules that rightly match this example too. */
  readonly also: readonly string[];
}

export interface NearMiss {
  readonly text: string;
  readonly origin: Origin | null;
  readonly because: string;
  readonly also: readonly string[];
}

/** One row of a catalogue: what a code means. Fields override those of the rule that read the code. */
export interface CatalogueRow {
  readonly code: string;
  readonly title: string;
  readonly symptom: string;
  readonly category: ErrorCategory;
  readonly blames: Blames;
  readonly role: RuleRole;
  readonly strength: Strength;
  readonly status: RuleStatus;
  readonly inhibits: readonly Inhibition[];
  readonly caution: string | null;
}

/** How to recognise one symptom, and what it must not be taken for. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  readonly status: RuleStatus;
  readonly symptom: string;
  readonly category: ErrorCategory;
  readonly blames: Blames;
  readonly role: RuleRole;
  readonly strength: Strength;
  readonly match: LineMatch | SampleMatch | StateMatch;
  /** Table that gives the code read by this rule its meaning. */
  readonly catalogue: 'xid' | 'sxid' | 'nvlink' | null;
  readonly count: CountCondition | null;
  /** Keep only the first and last hit (progress). */
  readonly keepEnds: boolean;
  readonly inhibits: readonly Inhibition[];
  /** A state that lasts (a GPU missing, a node drained for hardware): counts also when it began before the job. */
  readonly lasts: boolean;
  readonly caution: string;
  readonly references: readonly string[];
  readonly matches: readonly RuleExample[];
  readonly nearMisses: readonly NearMiss[];
}
