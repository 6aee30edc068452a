import type { Window } from '../../core/time.ts';
import { type KnownNodes, type Told, trouble } from '../log-store/log-store.ts';
import { readNames, troubleOf } from './answers.ts';
import type { LokiApi } from './limits.ts';
import { isNodeName } from './matchers.ts';

/** Nodes that a server knows, and the label of streams that names them. */
export interface FoundNodes {
  readonly label: string;
  readonly known: KnownNodes;
}

/** A day becomes less than half an hour. */
const mostHalvings = 6;

interface Values {
  readonly label: string;
  readonly names: readonly string[];
  readonly hits: number;
  /** Wanted names that must not stand in a query. */
  readonly odd: number;
}

/** Of the labels that may name the node, takes the one whose values name most of the nodes that are asked for. */
export async function findNodes(
  api: LokiApi,
  labels: readonly string[],
  selector: string,
  span: Window,
  isAsked: (name: string) => boolean,
  signal: AbortSignal,
): Promise<Told<FoundNodes>> {
  const list = (path: string) => listNames(api, path, selector, span, signal);
  const present =
    labels.length === 1 ? { ok: true as const, value: labels } : await list('/loki/api/v1/labels');
  if (!present.ok) return present;
  let best: Values | null = null;
  for (const label of labels.filter(name => present.value.includes(name))) {
    const values = await list(`/loki/api/v1/label/${encodeURIComponent(label)}/values`);
    if (!values.ok) return values;
    const found = valuesOf(label, values.value, isAsked);
    if (best === null || found.hits > best.hits) best = found;
  }
  const remarks =
    best === null
      ? [`no stream has one of the labels ${labels.join(', ')}: set nodeLabel`]
      : best.odd > 0
        ? [`${best.odd} names of nodes cannot be put into a query`]
        : [];
  const label = best?.label ?? labels[0];
  if (label === undefined) return trouble('failed', 'no label is configured that names nodes');
  return { ok: true, value: { label, known: { names: best?.names ?? [], remarks } } };
}

/** A list of names in a span of time, which is halved for a server that refuses its length. */
async function listNames(
  api: LokiApi,
  path: string,
  selector: string,
  { from, to }: Window,
  signal: AbortSignal,
  depth = 0,
): Promise<Told<readonly string[]>> {
  const answer = await api.ask(path, { start: String(from), end: String(to), query: selector }, signal);
  if (answer.ok) return readNames(answer.value);
  const refused = troubleOf(answer.failure);
  if (refused.trouble.tooMuch !== 'time' || depth >= mostHalvings) return refused;
  const middle = from + (to - from) / 2n;
  const halves = await Promise.all(
    [
      { from, to: middle },
      { from: middle, to },
    ].map(half => listNames(api, path, selector, half, signal, depth + 1)),
  );
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
