import type { Clock, CollectPlan, Log, MetricNeed } from '../../core/ports.ts';
import type { Window } from '../../core/time.ts';
import { type NodeDirectory, nodeDirectory } from '../../lines/node-names.ts';
import { hostOf } from '../../lines/undoubted-names.ts';
import { askedNodes, askedOrRecent } from '../asked.ts';
import { isNodeName } from '../log-store/matchers.ts';
import type { PrometheusApi } from './api.ts';
import type { PrometheusSettings } from './settings.ts';

/** One reading of one server. */
export interface Reading {
  readonly settings: PrometheusSettings;
  readonly api: PrometheusApi;
  readonly window: Window;
  /** Spelled as in the job. */
  readonly nodes: readonly string[];
  /** The node asked for that a label's value names, or null. */
  readonly nodeOf: (raw: string) => string | null;
  /** The node of the job, asked for or not, that a label's value names, or null. */
  readonly jobNodeOf: (raw: string) => string | null;
  /** The nodes of the job. */
  readonly directory: NodeDirectory;
  readonly needs: readonly MetricNeed[];
  readonly signal: AbortSignal;
  readonly remarks: Set<string>;
}

/** What a plan asks of a server; null where it asks nothing. */
export function readingOf(
  settings: PrometheusSettings,
  api: PrometheusApi,
  plan: CollectPlan,
  { clock }: { readonly clock: Clock; readonly log: Log },
  signal: AbortSignal,
): Reading | null {
  const window = askedOrRecent(plan, 'exporter', settings.everythingHours, clock);
  if (window === null) return null;
  const nodes = askedNodes(settings.name, plan);
  const asked = new Set(nodes);
  const directory = directoryOf(plan, nodes);
  const resolve = resolverOf(directory);
  return {
    settings,
    api,
    window,
    nodes,
    nodeOf: raw => {
      const node = resolve(raw);
      return node !== null && asked.has(node) ? node : null;
    },
    jobNodeOf: resolve,
    directory,
    needs: plan.metrics ?? [],
    signal,
    remarks: new Set(),
  };
}

/** The job's nodes, those included that this plan leaves out. */
function directoryOf(plan: CollectPlan, asked: readonly string[]): NodeDirectory {
  const names = new Set(plan.nodes.map(node => node.name));
  const further = [...plan.request.scope.nodes, ...asked].filter(name => !names.has(name));
  return nodeDirectory([...plan.nodes, ...[...new Set(further)].map(name => ({ name, aliases: [] }))]);
}

/** Joins values of labels to nodes. */
function resolverOf(directory: NodeDirectory): (raw: string) => string | null {
  const known = new Map<string, string | null>();
  return raw => {
    const before = known.get(raw);
    if (before !== undefined) return before;
    // What no query could quote safely names nobody.
    const match = isNodeName(raw) ? directory.resolve(hostOf(raw)) : null;
    const node = match?.kind === 'one' ? match.node : null;
    known.set(raw, node);
    return node;
  };
}
