import type { Window } from '../../core/time.ts';
import { type Told, type Trouble, trouble } from '../log-store/log-store.ts';
import type { InstantRow } from './answers.ts';
import { type Family, type FamilyNodes, representatives } from './family.ts';
import { lastInstant, livenessQuery, presenceQuery } from './queries.ts';
import type { Reading } from './reading.ts';

/** So many metrics of a family are asked at the most until every node of the job is seen. */
const mostRepresentatives = 3;

/** Which nodes have samples of a family in the window, how many, and which label names them. */
export async function findNodes(reading: Reading, family: Family): Promise<FamilyNodes> {
  const { window, nodes } = reading;
  const rows: InstantRow[] = [];
  let found: FamilyNodes = nothingFound(family);
  for (const metric of representatives(family, mostRepresentatives)) {
    const told = await countSamples(reading, metric, window);
    if (!told.ok) return { ...found, trouble: told.trouble };
    rows.push(...told.value);
    found = nodesOf(family, rows, reading);
    if (nodes.every(node => (found.samples.get(node) ?? 0) > 0)) break;
  }
  return { ...found, stopped: await stoppedNodes(reading, found) };
}

function nothingFound(family: Family): FamilyNodes {
  return {
    family,
    label: null,
    wanted: new Map(),
    job: [],
    values: [],
    samples: new Map(),
    stopped: [],
    trouble: null,
  };
}

/** Where counting samples is too much for the server, series that are there at the window's end stand for theirs. */
async function countSamples(
  { api, settings, signal }: Reading,
  metric: string,
  window: Window,
): Promise<Told<readonly InstantRow[]>> {
  const { matchers, nodeLabels } = settings;
  const query = presenceQuery(metric, matchers, nodeLabels, window);
  let told = await api.instant(query, lastInstant(window), signal);
  if (!told.ok && told.trouble.tooMuch !== null) {
    told = await api.instant(livenessQuery(metric, matchers, nodeLabels), lastInstant(window), signal);
  }
  if (!told.ok) return told;
  if (told.value.partial) return partialAnswer;
  return { ok: true, value: told.value.value };
}

export const partialAnswer: { readonly ok: false; readonly trouble: Trouble } = trouble(
  'truncated',
  'the server says that its answer is partial',
);

/** Of the labels that may name the node, the one by which most nodes of the job are found. */
function nodesOf(
  family: Family,
  rows: readonly InstantRow[],
  { settings, nodeOf, isOfJob }: Reading,
): FamilyNodes {
  let best: string | null = null;
  let most = 0;
  for (const label of settings.nodeLabels) {
    const hits = new Set(rows.flatMap(({ labels }) => nodeOf(labels[label] ?? '') ?? [])).size;
    if (hits > most) {
      best = label;
      most = hits;
    }
  }
  if (best === null) return nothingFound(family);
  const wanted = new Map<string, string>();
  const job = new Set<string>();
  const values = new Set<string>();
  const samples = new Map<string, number>();
  for (const { labels, value } of rows) {
    const raw = labels[best] ?? '';
    if (raw !== '') values.add(raw);
    if (isOfJob(raw)) job.add(raw);
    const node = nodeOf(raw);
    if (node === null) continue;
    wanted.set(raw, node);
    if (value > 0) samples.set(node, (samples.get(node) ?? 0) + value);
  }
  return { ...nothingFound(family), label: best, wanted, job: [...job], values: [...values], samples };
}

/** One silent node among living ones says more than silence of all. */
async function stoppedNodes(
  { api, settings, window, signal, nodeOf }: Reading,
  { family, label, samples }: FamilyNodes,
): Promise<readonly string[]> {
  const [metric] = representatives(family, 1);
  if (label === null || metric === undefined) return [];
  const told = await api.instant(
    livenessQuery(metric, settings.matchers, [label]),
    lastInstant(window),
    signal,
  );
  if (!told.ok || told.value.partial) return [];
  const alive = new Set(told.value.value.flatMap(({ labels }) => nodeOf(labels[label] ?? '') ?? []));
  return alive.size === 0 ? [] : [...samples.keys()].filter(node => !alive.has(node));
}
