import type { Clock, CollectPlan, Log, MetricNeed } from '../../core/ports.ts';
import type { Window } from '../../core/time.ts';
import { minute } from '../../core/time.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { askedWindow } from '../coverage.ts';
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
  /** Whether a label's value names a node of the job, asked for or not. */
  readonly isOfJob: (raw: string) => boolean;
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
  const window = windowOf(settings, plan, clock);
  if (window === null) return null;
  const nodes = askedNodes(settings.name, plan);
  const asked = new Set(nodes);
  const resolve = resolverOf(plan, nodes);
  return {
    settings,
    api,
    window,
    nodes,
    nodeOf: raw => {
      const node = resolve(raw);
      return node !== null && asked.has(node) ? node : null;
    },
    isOfJob: raw => resolve(raw) !== null,
    needs: plan.metrics ?? [],
    signal,
    remarks: new Set(),
  };
}

function windowOf({ everythingHours }: PrometheusSettings, plan: CollectPlan, clock: Clock): Window | null {
  if (!plan.everything) return askedWindow(plan, 'exporter');
  const now = clock.now();
  return { from: now - hours(everythingHours), to: now };
}

export function hours(count: number): bigint {
  return BigInt(Math.round(count * 60)) * minute;
}

/** What a session needs again names nodes, or the source as a whole. */
function askedNodes(source: string, plan: CollectPlan): readonly string[] {
  const all = plan.nodes.map(node => node.name);
  const needs = plan.only?.filter(need => need.source === source) ?? null;
  if (needs === null || needs.some(need => need.nodes.length === 0)) return all;
  const named = new Set(needs.flatMap(need => need.nodes));
  return all.length === 0 ? [...named] : all.filter(node => named.has(node));
}

/** Joins values of labels to the job's nodes, those included that this plan leaves out. */
function resolverOf(plan: CollectPlan, asked: readonly string[]): (raw: string) => string | null {
  const names = new Set(plan.nodes.map(node => node.name));
  const further = [...plan.request.scope.nodes, ...asked].filter(name => !names.has(name));
  const directory = nodeDirectory([
    ...plan.nodes,
    ...[...new Set(further)].map(name => ({ name, aliases: [] })),
  ]);
  const known = new Map<string, string | null>();
  return raw => {
    const before = known.get(raw);
    if (before !== undefined) return before;
    // What no query could quote safely names nobody.
    const match = isNodeName(raw) ? directory.resolve(raw.replace(/^([^:]+):\d{1,5}$/, '$1')) : null;
    const node = match?.kind === 'one' ? match.node : null;
    known.set(raw, node);
    return node;
  };
}
