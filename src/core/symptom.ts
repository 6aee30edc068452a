import type { Origin } from './batch.ts';
import type { ErrorCategory } from './target.ts';
import type { Instant } from './time.ts';

/** Evidence ranks of the domain, strong to weak: S1-S3 may name a node, S4 only with recurrence, S5 and S6 never. */
export type Strength = 'S1' | 'S2' | 'S3' | 'S4' | 'S5' | 'S6';

/** Whom a rule holds responsible when its symptom initiates the failure. */
export type Blames = 'node' | 'job' | 'nobody';

/** What a rule says its symptom is, before anything is known of the rest. */
export type RuleRole =
  | 'root'
  | 'cascade'
  | 'victim'
  | 'confirmation'
  | 'progress'
  | 'boot'
  | 'maintenance'
  | 'placement'
  | 'noise';

/** What a symptom turned out to be in this failure. */
export type CausalRole = 'initiating' | 'cascade' | 'teardown' | 'context' | 'unknown';

export type RuleStatus = 'experimental' | 'test' | 'stable' | 'deprecated';

/** What a symptom explains: those symptoms become cascade where they lie in scope and in reach. */
export interface Inhibition {
  /** Symptom names or catalogue codes (`xid-45`, `sxid-20034`); not rule ids. */
  readonly symptoms: readonly string[];
  readonly scope: 'device' | 'node' | 'domain' | 'job';
  /** How long after the cause; order that time's uncertainty leaves open counts as in reach. */
  readonly withinSeconds: number;
}

/** A place that can be opened again: a line of a file, or a query and the stamp it returned. */
export type Reference =
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'query'; readonly query: string; readonly stamp: string };

/** The GPU, switch, NIC or link a line speaks of. PCI addresses are lower case, domain of 4 digits, no function. */
export interface Device {
  readonly pci: string | null;
  readonly uuid: string | null;
  /** Index on its node, as CUDA or DCGM counts. */
  readonly index: number | null;
  /** NIC, switch, disk or interface name. */
  readonly name: string | null;
}

/** One dated, located fact. `text` is the line as it stands in its source, at most 4 KiB around the match. */
export interface Observation {
  readonly instant: Instant;
  readonly source: string;
  readonly origin: Origin;
  readonly stream: string;
  readonly node: string | null;
  readonly rank: number | null;
  readonly device: Device | null;
  readonly text: string;
  readonly reference: Reference;
  /** Named groups of the pattern, from the closed list in `engine/corpus/captures`. */
  readonly captures: Readonly<Record<string, string>>;
}

/** On what a causal role rests: what the rule says of its symptom, what explains it, or what spares or excuses its node. */
export type ReasonKind = 'rule' | 'inhibition' | 'guard';

/** Why a symptom has its causal role: which pass decided, in words, and the symptom that explains it. */
export interface Reason {
  readonly kind: ReasonKind;
  readonly pass: string;
  readonly text: string;
  readonly cause: string | null;
}

/** What a rule saw on one node and device: observations folded by rule, node (else rank, else stream and task), device and code. */
export interface Symptom {
  /** Derived from the fold key, the same for the same evidence. */
  readonly id: string;
  readonly rule: string;
  readonly title: string;
  /** Name shared by rules that recognise the same thing, and what inhibitions speak of. */
  readonly symptom: string;
  /** Catalogue code with its catalogue (`xid-79`, `sxid-24007`), where the rule reads one. */
  readonly code: string | null;
  readonly category: ErrorCategory;
  readonly blames: Blames;
  readonly ruleRole: RuleRole;
  readonly strength: Strength;
  readonly status: RuleStatus;
  /** A state that lasts: counts also when it began before the job. */
  readonly lasts: boolean;
  readonly inhibits: readonly Inhibition[];
  readonly origin: Origin;
  readonly stream: string;
  /** The node this was seen on, as the request spells it once joined; null where unknown or ambiguous. */
  readonly node: string | null;
  readonly rank: number | null;
  readonly device: Device | null;
  readonly first: Instant;
  readonly last: Instant;
  readonly count: number;
  /** True where hits beyond the cap were only counted. */
  readonly countIsAtLeast: boolean;
  /** At most 5: the earliest ones. */
  readonly observations: readonly Observation[];
  readonly role: CausalRole;
  readonly reason: Reason | null;
}
