import type { Window } from '../../core/time.ts';
import { closestNames, namesApart, namesOfOthers, undoubtedNames } from '../../lines/undoubted-names.ts';
import { type Told, type Trouble, trouble } from '../log-store/log-store.ts';
import type { InstantRow } from './answers.ts';
import { type Family, type FamilyNodes, representatives, samplesByNode } from './family.ts';
import { lastInstant, livenessQuery, presenceQuery } from './queries.ts';
import type { Reading } from './reading.ts';

/** So many metrics of a family are asked at the most until every node of the job is seen. */
const mostRepresentatives = 3;

/** Which nodes have samples of each family in the window, how many, and which label names them. */
export async function findNodes(
  reading: Reading,
  families: readonly Family[],
): Promise<readonly FamilyNodes[]> {
  const found = apartFromOthers(
    reading,
    await Promise.all(families.map(family => findFamily(reading, family))),
  );
  return Promise.all(
    found.map(async each =>
      each.trouble === null ? { ...each, stopped: await stoppedNodes(reading, each) } : each,
    ),
  );
}

async function findFamily(reading: Reading, family: Family): Promise<FamilyNodes> {
  const { window, nodes } = reading;
  const rows: InstantRow[] = [];
  let found: FamilyNodes = nothingFound(family);
  for (const metric of representatives(family, mostRepresentatives)) {
    const told = await countSamples(reading, metric, window);
    if (!told.ok) return { ...found, trouble: told.trouble };
    rows.push(...told.value);
    found = nodesOf(family, rows, reading);
    const samples = samplesByNode(found);
    if (nodes.every(node => (samples.get(node) ?? 0) > 0)) break;
  }
  return found;
}

/** Leaves out full names that may be of another cluster's machines: what one exporter is called speaks for all. */
function apartFromOthers(reading: Reading, families: readonly FamilyNodes[]): readonly FamilyNodes[] {
  const named = new Map(
    families.flatMap(({ job }) => job.map(raw => [raw, reading.jobNodeOf(raw) ?? ''] as const)),
  );
  const apart = namesApart(named);
  const closest = families.map(({ job }) => {
    const own = job.filter(raw => !apart.has(raw));
    return closestNames(new Map(own.map(raw => [raw, named.get(raw) ?? ''])));
  });
  const others = namesOfOthers(new Map(closest.flatMap(each => [...each])), reading.directory);
  const kept = families.map((family): FamilyNodes => {
    const own = family.job.map(raw => [raw, named.get(raw) ?? ''] as const);
    const undoubted = undoubtedNames(
      new Map(own.filter(([raw]) => !apart.has(raw) && !others.has(raw))),
      reading.directory,
    );
    return {
      ...family,
      wanted: new Map([...family.wanted].filter(([raw]) => undoubted.has(raw))),
      job: [...undoubted.keys()],
    };
  });
  const left = new Set(kept.flatMap(({ job }) => job));
  const doubted = [...named.keys()].filter(raw => !left.has(raw)).length;
  if (doubted > 0) reading.remarks.add(doubtedRemark(doubted));
  return kept;
}

function doubtedRemark(count: number): string {
  return `${count} full names in labels may be of machines of another cluster, and count for none: set matchers that name the cluster, or name the nodes in full`;
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
  { settings, nodeOf, jobNodeOf }: Reading,
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
    if (jobNodeOf(raw) !== null) job.add(raw);
    const node = nodeOf(raw);
    if (node === null) continue;
    wanted.set(raw, node);
    if (value > 0) samples.set(raw, (samples.get(raw) ?? 0) + value);
  }
  return { ...nothingFound(family), label: best, wanted, job: [...job], values: [...values], samples };
}

/** One silent node among living ones says more than silence of all. */
async function stoppedNodes(
  { api, settings, window, signal }: Reading,
  found: FamilyNodes,
): Promise<readonly string[]> {
  const { family, label, wanted } = found;
  const [metric] = representatives(family, 1);
  if (label === null || metric === undefined) return [];
  const told = await api.instant(
    livenessQuery(metric, settings.matchers, [label]),
    lastInstant(window),
    signal,
  );
  if (!told.ok || told.value.partial) return [];
  const alive = new Set(told.value.value.flatMap(({ labels }) => wanted.get(labels[label] ?? '') ?? []));
  return alive.size === 0 ? [] : [...samplesByNode(found).keys()].filter(node => !alive.has(node));
}
