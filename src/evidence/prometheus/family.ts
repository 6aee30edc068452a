import type { MetricNeed } from '../../core/ports.ts';
import type { Trouble } from '../log-store/log-store.ts';
import type { Matcher } from '../log-store/matchers.ts';
import { isLiveness } from './queries.ts';

/** A need by the name that the server knows its metric under. */
export interface NamedNeed extends MetricNeed {
  readonly served: string;
}

/** Metrics of one exporter: their series carry the same labels. */
export interface Family {
  readonly prefix: string;
  readonly needs: readonly NamedNeed[];
}

/** What was found out about a family before its series are looked at. */
export interface FamilyNodes {
  readonly family: Family;
  /** The label that names the node; null where none does. */
  readonly label: string | null;
  /** Node that is asked for by value of the label. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Values of the label that are nodes of the job, asked for or not. */
  readonly job: readonly string[];
  /** Every value of the label. */
  readonly values: readonly string[];
  /** Series that had a number in the window (of `up` scrapes that succeeded), by value of the label. */
  readonly samples: ReadonlyMap<string, number>;
  /** Nodes whose samples end before the window does, while those of others go on. */
  readonly stopped: readonly string[];
  readonly trouble: Trouble | null;
}

/** The same by node that is asked for. */
export function samplesByNode({ wanted, samples }: FamilyNodes): ReadonlyMap<string, number> {
  const byNode = new Map<string, number>();
  for (const [raw, node] of wanted) {
    const count = samples.get(raw) ?? 0;
    if (count > 0) byNode.set(node, (byNode.get(node) ?? 0) + count);
  }
  return byNode;
}

/** `DCGM_FI_DEV_GPU_TEMP` and the like are one exporter's, `node_edac_...` another's; `up` stands alone. */
export function familiesOf(needs: readonly NamedNeed[]): readonly Family[] {
  const families = new Map<string, NamedNeed[]>();
  for (const need of needs) {
    const prefix = need.metric.split('_', 1)[0] ?? need.metric;
    const known = families.get(prefix);
    if (known === undefined) families.set(prefix, [need]);
    else known.push(need);
  }
  return [...families].map(([prefix, own]) => ({ prefix, needs: own }));
}

/** Readings that every device has come before counters that only some have. */
const order: readonly MetricNeed['when'][] = [
  'above',
  'away_from_median_by',
  'below',
  'changed',
  'increased_by',
];

/** Metrics that tell which nodes a family has, the best first. */
export function representatives({ needs }: Family, most: number): readonly string[] {
  const sorted = needs.toSorted((a, b) => order.indexOf(a.when) - order.indexOf(b.when));
  return [...new Set(sorted.map(need => need.served))].slice(0, most);
}

/** Whether samples of the family show that a node's exporter answered. */
export function isOwnVoice({ prefix }: Family): boolean {
  return !isLiveness(prefix);
}

export interface Selection {
  /** Values of the family's label. */
  readonly raws: readonly string[];
  readonly matchers: readonly Matcher[];
}
