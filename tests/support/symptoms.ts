import type { Origin } from '../../src/core/batch.ts';
import type { CoverageStatus, SourceCoverage } from '../../src/core/coverage.ts';
import type {
  Blames,
  Device,
  Inhibition,
  Observation,
  RuleRole,
  RuleStatus,
  Strength,
  Symptom,
} from '../../src/core/symptom.ts';
import type { ErrorCategory } from '../../src/core/target.ts';
import { type Instant, type InstantBasis, millisecond, minute, type Nanos } from '../../src/core/time.ts';
import { defaultReasoningSettings, type ReasoningContext } from '../../src/engine/context.ts';
import { nodeDirectory } from '../../src/lines/node-names.ts';

/** 2026-09-09T12:00:00Z: when the failures of these tests are detected. */
export const failure: Nanos = 1_788_955_200n * 1_000n * millisecond;

/** A time in seconds before (negative) or after the failure. */
export const secondsFromFailure = (seconds: number): Nanos =>
  failure + BigInt(Math.round(seconds * 1000)) * millisecond;

export interface SymptomSpec {
  readonly symptom: string;
  readonly node?: string | null;
  readonly rank?: number | null;
  /** Seconds from the failure; null where only the order in the stream is known (`line`). */
  readonly at?: number | null;
  /** Last sighting, seconds from the failure; `at` unless given. */
  readonly until?: number | null;
  readonly line?: number;
  readonly plusMinusMs?: number;
  readonly basis?: InstantBasis;
  /** Stamps of one clock are exact to each other; by default each origin has one clock a node (else stream). */
  readonly clock?: string;
  readonly origin?: Origin;
  readonly stream?: string;
  readonly strength?: Strength;
  readonly blames?: Blames;
  readonly ruleRole?: RuleRole;
  readonly category?: ErrorCategory;
  readonly code?: string | null;
  readonly status?: RuleStatus;
  readonly lasts?: boolean;
  readonly inhibits?: readonly Inhibition[];
  /** A PCI address, or an index. */
  readonly device?: string | number | null;
  readonly count?: number;
  readonly captures?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** The node of the observation, where it differs from the symptom's. */
  readonly seenOn?: string | null;
}

const defaults = {
  node: null,
  rank: null,
  at: 0,
  origin: 'kernel',
  strength: 'S1',
  blames: 'node',
  ruleRole: 'root',
  category: 'accelerator_gpu',
  code: null,
  status: 'stable',
  lasts: false,
  inhibits: [],
  device: null,
  count: 1,
  captures: {},
} satisfies Omit<SymptomSpec, 'symptom'>;

/** A kernel S1 root that blames its node, unless told otherwise. */
export function symptom(spec: SymptomSpec): Symptom {
  const full = { ...defaults, text: `${spec.symptom} seen`, ...spec };
  const { node, rank, origin, symptom: name, code, device, at } = full;
  const stream = spec.stream ?? `${origin}/${node ?? 'out'}`;
  const timing = { ...spec, clock: spec.clock ?? stream };
  const first = instant({ ...timing, at });
  const last = spec.until === undefined ? first : instant({ ...timing, at: spec.until });
  const seen = (when: Instant): Observation => ({
    instant: when,
    source: 'files',
    origin,
    stream,
    node: spec.seenOn === undefined ? node : spec.seenOn,
    rank,
    device: deviceOf(device),
    text: full.text,
    reference: { kind: 'file', path: `${stream}.log`, line: Number(when.tick % 1_000_000_007n) },
    captures: full.captures,
  });
  return {
    id: [name, origin, node ?? stream, rank, device, code, at, spec.line].join('|'),
    rule: `test/${name}`,
    title: name,
    symptom: name,
    code,
    category: full.category,
    blames: full.blames,
    ruleRole: full.ruleRole,
    strength: full.strength,
    status: full.status,
    lasts: full.lasts,
    inhibits: full.inhibits,
    origin,
    stream,
    node,
    rank,
    device: deviceOf(device),
    first,
    last,
    count: full.count,
    countIsAtLeast: false,
    observations: first === last ? [seen(first)] : [seen(first), seen(last)],
    role: 'unknown',
    reason: null,
  };
}

function instant(spec: Omit<SymptomSpec, 'symptom'>): Instant {
  const clock = spec.clock ?? 'clock';
  if (spec.at === null || spec.at === undefined) {
    return { nanos: null, plusMinus: 0n, basis: 'file_order', clock, tick: BigInt(spec.line ?? 1) };
  }
  const nanos = secondsFromFailure(spec.at);
  const plusMinus = BigInt(spec.plusMinusMs ?? 100) * millisecond;
  return { nanos, plusMinus, basis: spec.basis ?? 'stamped', clock, tick: nanos };
}

function deviceOf(device: string | number | null): Device | null {
  if (device === null) return null;
  const index = typeof device === 'number' ? device : null;
  return { pci: typeof device === 'string' ? device : null, uuid: null, index, name: null };
}

type Rest = Omit<SymptomSpec, 'symptom' | 'node' | 'at'>;

/** An Xid in a node's kernel log: S1 unless told otherwise. */
export function xid(code: number, node: string, at: number | null, rest: Rest = {}): Symptom {
  return symptom({ symptom: `xid-${code}`, code: `xid-${code}`, node, at, device: '0000:b3:00', ...rest });
}

/** A rank that says its collective timed out: a victim. */
export function watchdog(rank: number, at: number | null, rest: Rest = {}): Symptom {
  return symptom({
    symptom: 'nccl-watchdog',
    rank,
    at,
    origin: 'job',
    strength: 'S5',
    blames: 'nobody',
    ruleRole: 'victim',
    category: 'collective_timeout',
    clock: `rank ${rank}`,
    ...rest,
    captures: { running_ms: '600000', sequence: '42', group: '0', operation: 'ALLREDUCE', ...rest.captures },
  });
}

/** An error of the program's own, as a rank prints it. */
export function traceback(at: number | null, rest: Rest & { readonly node?: string } = {}): Symptom {
  return symptom({
    symptom: 'traceback',
    at,
    origin: 'job',
    strength: 'S3',
    blames: 'job',
    category: 'application_error',
    ...rest,
  });
}

/** Training went on from `at` to `until`. */
export function progress(at: number, until: number, rest: Rest = {}): Symptom {
  return symptom({
    symptom: 'iteration',
    at,
    until,
    origin: 'job',
    strength: 'S6',
    blames: 'nobody',
    ruleRole: 'progress',
    category: 'unknown',
    ...rest,
  });
}

/** A line that shows where a rank ran. */
export function placement(rank: number, node: string, rest: Rest = {}): Symptom {
  return symptom({
    symptom: 'rank-placed',
    rank,
    node,
    at: -900,
    origin: 'job',
    strength: 'S6',
    blames: 'nobody',
    ruleRole: 'placement',
    category: 'unknown',
    stream: `job/init ${rank} ${node}`,
    ...rest,
    captures: { rank: String(rank), ...rest.captures },
  });
}

/** What one source proved of some nodes (a host list). */
export function coverage(origin: Origin, nodes: string, status: CoverageStatus = 'complete'): SourceCoverage {
  return {
    source: 'files',
    origin,
    window: null,
    query: null,
    filter: null,
    streams: 1,
    lines: 100,
    bytes: 10_000,
    groups: [{ status, nodes, count: nodes === '' ? 0 : 1, reason: null }],
    notYet: null,
    remarks: [],
  };
}

export interface ContextSpec {
  readonly nodes?: readonly string[];
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly scopeGiven?: boolean;
  readonly nodesTold?: boolean;
  readonly jobId?: string | null;
  readonly ranks?: readonly number[];
  readonly signal?: string;
  /** Seconds from the failure. */
  readonly jobStart?: number | null;
  readonly jobEnd?: number | null;
  /** An end that the request itself states. */
  readonly statedEnd?: number | null;
  readonly window?: readonly [number, number];
  readonly epilog?: readonly [number, number] | null;
  readonly coverage?: readonly SourceCoverage[];
  readonly settings?: Partial<ReasoningContext['settings']>;
}

/** `node-01` to the given count. */
export const nodesNamed = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `node-${String(at + 1).padStart(2, '0')}`);

/** A crash of a job on four nodes, their kernel logs read to the end, 15 minutes before to 2 after. */
export function reasoningContext(spec: ContextSpec = {}): ReasoningContext {
  const nodes = spec.nodes ?? nodesNamed(4);
  const span = (window: readonly [number, number]) => ({
    from: secondsFromFailure(window[0]),
    to: secondsFromFailure(window[1]),
  });
  const at = (seconds: number | null | undefined): Nanos | null =>
    seconds === null || seconds === undefined ? null : secondsFromFailure(seconds);
  return {
    request: {
      schemaVersion: '0.1.0',
      workloadId: '4242',
      scope: { nodes, ranks: spec.ranks ?? [], startTime: null, endTime: null },
      failureContext: { detectedAt: failure, detectionSignal: spec.signal ?? 'application_error' },
      timeoutMs: 10_000,
      workloadContext: { workflowId: 'training', attemptIndex: 0, jobEndTime: at(spec.statedEnd) },
      phase: 'fast',
      continueSession: null,
      userId: 'user1',
    },
    nodes: nodeDirectory(nodes.map(name => ({ name, aliases: spec.aliases?.[name] ?? [] }))),
    jobNodes: nodes,
    scopeGiven: spec.scopeGiven ?? true,
    nodesTold: spec.nodesTold ?? spec.scopeGiven ?? true,
    jobId: spec.jobId === undefined ? '4242' : spec.jobId,
    windows: [
      spec.window === undefined
        ? { from: failure - 15n * minute, to: failure + 2n * minute }
        : span(spec.window),
    ],
    epilogWindow: spec.epilog == null ? null : span(spec.epilog),
    moment: failure,
    jobStart: at(spec.jobStart),
    jobEnd: at(spec.jobEnd ?? spec.statedEnd),
    coverage: spec.coverage ?? [coverage('kernel', nodes.join(','))],
    settings: { ...defaultReasoningSettings, ...spec.settings },
  };
}
