import { type Told, type Trouble, trouble } from '../log-store/log-store.ts';
import { worse } from '../log-store/read-selection.ts';
import type { InstantRow } from './answers.ts';
import type { FamilyNodes, NamedNeed, Selection } from './family.ts';
import { partialAnswer } from './presence.ts';
import { centreQuery, lastInstant, presentCentreQuery, screenQuery } from './queries.ts';
import type { Reading } from './reading.ts';
import { halvesOf, selectionsOf } from './selections.ts';

/** Nodes that one need points at. */
export interface Screened {
  readonly need: NamedNeed;
  readonly found: FamilyNodes;
  /** The furthest first. */
  readonly nodes: readonly string[];
  /** There may be more than were asked for. */
  readonly cut: boolean;
  /** Median of the job, where the need compares with it. */
  readonly centre: number | null;
  readonly trouble: Trouble | null;
}

/** Asks the server which nodes have a series that may meet a need: few answers, whatever the cluster's size. */
export async function screen(reading: Reading, found: FamilyNodes, need: NamedNeed): Promise<Screened> {
  const { settings } = reading;
  const selections = selectionsOf(found, [...found.wanted.keys()], settings.matchers, settings.queryBytes);
  const centre = await centreOf(reading, found, need);
  if (!centre.ok) return { need, found, nodes: [], cut: false, centre: null, trouble: centre.trouble };
  const answers = await Promise.all(selections.map(each => ask(reading, found, need, each, centre.value ?? 0)));
  const rows = answers.flatMap(answer => answer.rows);
  const sign = need.when === 'below' ? -1 : 1;
  const sorted = rows.toSorted((a, b) => sign * (b.value - a.value));
  const nodes = new Set(
    sorted.flatMap(({ labels }) => found.wanted.get(labels[found.label ?? ''] ?? '') ?? []),
  );
  return {
    need,
    found,
    nodes: [...nodes],
    cut: answers.some(answer => answer.cut),
    centre: centre.value,
    trouble: answers.reduce<Trouble | null>((worst, answer) => worse(worst, answer.trouble), null),
  };
}

interface Asked {
  readonly rows: readonly InstantRow[];
  readonly cut: boolean;
  readonly trouble: Trouble | null;
}

async function ask(
  reading: Reading,
  found: FamilyNodes,
  need: NamedNeed,
  selection: Selection,
  centre: number,
): Promise<Asked> {
  const { api, settings, window, signal } = reading;
  const label = found.label ?? '';
  // One more than is read tells whether there are more.
  const limit = settings.mostNodes + 1;
  const query = screenQuery(need, need.served, selection.matchers, label, window, centre, limit);
  const told = await api.instant(query, lastInstant(window), signal);
  if (!told.ok) {
    const halves = told.trouble.tooMuch === null ? null : halvesOf(selection, label, settings.matchers);
    if (halves === null) return { rows: [], cut: false, trouble: told.trouble };
    const both = await Promise.all(halves.map(half => ask(reading, found, need, half, centre)));
    return {
      rows: both.flatMap(({ rows }) => rows),
      cut: both.some(({ cut }) => cut),
      trouble: both.reduce<Trouble | null>((worst, half) => worse(worst, half.trouble), null),
    };
  }
  const { value: rows, partial } = told.value;
  return { rows, cut: rows.length >= limit, trouble: partial ? partialAnswer.trouble : null };
}

/** The median of the whole job, also where only some of it is asked for; null where the need compares with nothing. */
async function centreOf(
  { api, settings, window, signal }: Reading,
  found: FamilyNodes,
  need: NamedNeed,
): Promise<Told<number | null>> {
  if (need.when !== 'away_from_median_by') return { ok: true, value: null };
  const { matchers, queryBytes } = settings;
  const [selection, ...others] = selectionsOf(found, found.job, matchers, queryBytes);
  // The median of a part would not be the job's; the cluster's is nearer to it.
  const whole = others.length === 0 ? (selection?.matchers ?? matchers) : matchers;
  const at = lastInstant(window);
  let told = await api.instant(centreQuery(need.served, whole, window), at, signal);
  if (!told.ok && told.trouble.tooMuch !== null) {
    told = await api.instant(presentCentreQuery(need.served, whole), at, signal);
  }
  if (!told.ok) return told;
  const centre = told.value.value[0]?.value;
  if (centre === undefined) return { ok: true, value: null };
  return Number.isFinite(centre)
    ? { ok: true, value: centre }
    : trouble('failed', `the median of ${need.metric} is no number`);
}
