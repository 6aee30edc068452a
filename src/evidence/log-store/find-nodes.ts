import type { Window } from '../../core/time.ts';
import { type KnownNodes, type Told, trouble } from './log-store.ts';
import { isNodeName } from './matchers.ts';

/** Nodes that a store knows, and the label or field that names them. */
export interface FoundNodes {
  readonly label: string;
  readonly known: KnownNodes;
}

/** How a store tells what its streams are labelled with in a span of time. */
export interface LabelApi {
  labels(span: Window): Promise<Told<readonly string[]>>;
  values(label: string, span: Window): Promise<Told<readonly string[]>>;
}

interface Values {
  readonly label: string;
  readonly names: readonly string[];
  readonly hits: number;
  /** Wanted names that must not stand in a query. */
  readonly odd: number;
}

/** A day becomes less than half an hour. */
const mostHalvings = 6;

/** Of the labels that may name the node, takes the one whose values name most of the nodes that are asked for. */
export async function findNodes(
  labels: readonly string[],
  api: LabelApi,
  span: Window,
  isAsked: (name: string) => boolean,
): Promise<Told<FoundNodes>> {
  const present = labels.length === 1 ? { ok: true as const, value: labels } : await inParts(api.labels, span);
  if (!present.ok) return present;
  let best: Values | null = null;
  for (const label of labels.filter(name => present.value.includes(name))) {
    const values = await inParts(part => api.values(label, part), span);
    if (!values.ok) return values;
    const found = valuesOf(label, values.value, isAsked);
    if (best === null || found.hits > best.hits) best = found;
  }
  const remarks =
    best === null
      ? [`nothing there carries one of ${labels.join(', ')}: set what names the node`]
      : best.odd > 0
        ? [`${best.odd} names of nodes cannot be put into a query`]
        : [];
  const label = best?.label ?? labels[0];
  if (label === undefined) return trouble('failed', 'nothing is configured that names nodes');
  return { ok: true, value: { label, known: { names: best?.names ?? [], remarks } } };
}

/** A list for a span of time, which is halved for a server that refuses its length. */
async function inParts(
  list: (span: Window) => Promise<Told<readonly string[]>>,
  { from, to }: Window,
  depth = 0,
): Promise<Told<readonly string[]>> {
  const told = await list({ from, to });
  if (told.ok || told.trouble.tooMuch !== 'time' || depth >= mostHalvings) return told;
  const middle = from + (to - from) / 2n;
  const halves = await Promise.all([
    inParts(list, { from, to: middle }, depth + 1),
    inParts(list, { from: middle, to }, depth + 1),
  ]);
  const names = new Set<string>();
  for (const half of halves) {
    if (!half.ok) return half;
    for (const name of half.value) names.add(name);
  }
  return { ok: true, value: [...names] };
}

function valuesOf(label: string, values: readonly string[], isAsked: (name: string) => boolean): Values {
  const names = values.filter(isNodeName);
  return {
    label,
    names,
    hits: names.filter(isAsked).length,
    odd: values.filter(name => !isNodeName(name) && isAsked(name)).length,
  };
}
