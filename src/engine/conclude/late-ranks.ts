import type { Observation, Symptom } from '../../core/symptom.ts';
import { compressHostList } from '../../lines/host-list.ts';
import type { ReasoningContext } from '../context.ts';
import { byTime } from '../explain/order.ts';
import { numberIn, type Placements, placementsOf } from '../explain/placements.ts';

/** Ranks that did not arrive where the others of their group waited for them. */
export interface LateRanks {
  /** Ascending. */
  readonly ranks: readonly number[];
  /** Where they ran, as far as placement proves it. */
  readonly nodes: readonly string[];
  /** One sentence. */
  readonly said: string;
  /** The first that waited: it tells of them, and is not one of them. */
  readonly shownBy: Symptom;
}

/** What one rank said of one group: the work it waited for, and what it last enqueued and completed. */
interface Standing {
  readonly rank: number;
  readonly symptom: Symptom;
  waitsFor: number | null;
  enqueued: number | null;
}

/** Groups that hold every rank: the first one, and what older lines do not name. */
const ofAllRanks: ReadonlySet<string> = new Set(['0', 'default_pg', '']);

/** Ranks may be missing because they were killed before they spoke: so many must have spoken. */
const heardShare = 0.75;
/** Late ranks whose place is unknown, at the most: more are not one fault. */
const mostUnplaced = 8;

/**
 * Watchdog arithmetic. Numbers of works count up in each group alike: who enqueued less than the others wait for, or
 * waits for an earlier work than most, holds them up; and so does who says nothing where nearly all others say that
 * they waited. Who says so first is chance. This names nobody: it tells where to look.
 */
export function lateRanks(symptoms: readonly Symptom[], context: ReasoningContext): readonly LateRanks[] {
  const waiting = symptoms.filter(
    ({ category, ruleRole, role }) =>
      category === 'collective_timeout' && ruleRole === 'victim' && role !== 'context' && role !== 'teardown',
  );
  if (waiting.length === 0) return [];
  const placements = placementsOf(symptoms);
  const late = [...standingsOf(waiting)].flatMap(([group, standings]) => {
    const behind = ranksBehind(standings);
    if (behind !== null) return [behind];
    return ofAllRanks.has(group) ? (ranksUnheard(standings, waiting, placements, context) ?? []) : [];
  });
  return late.flatMap(found => lateAs(found, placements, context) ?? []);
}

/** By what a symptom tells of late ranks. */
export const lateRanksName = 'late-ranks';

/** Symptoms of which those that show late ranks say so in their reason; what explains them still does. */
export function tellLate(symptoms: readonly Symptom[], late: readonly LateRanks[]): readonly Symptom[] {
  if (late.length === 0) return symptoms;
  const said = new Map(late.map(found => [found.shownBy.id, found.said]));
  return symptoms.map(symptom => {
    const text = said.get(symptom.id);
    if (text === undefined || symptom.reason === null) return symptom;
    const { cause, text: before } = symptom.reason;
    const whole = cause === null ? text : `${before}; ${text}`;
    const reason = { ...symptom.reason, pass: lateRanksName, text: whole };
    return { ...symptom, reason };
  });
}

interface Found {
  readonly ranks: readonly number[];
  readonly work: number;
  readonly others: number;
  readonly how: string;
  readonly shownBy: Symptom;
}

/** Of each group, what each rank said last. A group of some ranks counts these by itself: its lines must tell the job's. */
function standingsOf(waiting: readonly Symptom[]): ReadonlyMap<string, readonly Standing[]> {
  const groups = new Map<string, Map<number, Standing>>();
  for (const symptom of waiting.toSorted(byTime)) {
    for (const observation of symptom.observations) {
      const group = observation.captures['group'] ?? '';
      const rank = observation.rank ?? symptom.rank;
      const said = numbersIn(observation);
      if (rank === null || (said.waitsFor === null && said.enqueued === null)) continue;
      if (!ofAllRanks.has(group) && !observation.text.includes(`[rank${rank}]`)) continue;
      const standings = groups.get(group) ?? new Map<number, Standing>();
      groups.set(group, standings);
      const known = standings.get(rank) ?? { rank, symptom, waitsFor: null, enqueued: null };
      standings.set(rank, known);
      known.waitsFor = said.waitsFor ?? known.waitsFor;
      known.enqueued = said.enqueued ?? known.enqueued;
    }
  }
  return new Map([...groups].map(([group, standings]) => [group, [...standings.values()]]));
}

/** A work that was enqueued and is not completed is waited for. */
function numbersIn({ captures }: Observation): Pick<Standing, 'waitsFor' | 'enqueued'> {
  const enqueued = numberIn(captures['last_enqueued']);
  const completed = numberIn(captures['last_completed']);
  const pending = enqueued !== null && completed !== null && enqueued > completed ? completed + 1 : null;
  return { waitsFor: numberIn(captures['sequence']) ?? pending, enqueued };
}

/**
 * Those that came least far, where they are fewer than all others: else the others are ahead. A rank that waits for a
 * work came further than one that has not enqueued it.
 */
function ranksBehind(standings: readonly Standing[]): Found | null {
  const groups = Map.groupBy(standings, stepOf);
  const [least, ...further] = [...groups.keys()].sort((a, b) => a - b);
  const [next] = further;
  if (least === undefined || next === undefined) return null;
  const behind = groups.get(least) ?? [];
  const others = standings.filter(standing => stepOf(standing) > least);
  const [first] = others;
  if (first === undefined || behind.length >= others.length) return null;
  const how = least % 2 === 0 ? 'had not enqueued it' : 'had not completed the one before';
  const work = Math.floor(next / 2);
  return { ranks: behind.map(({ rank }) => rank), work, others: others.length, how, shownBy: first.symptom };
}

/** Two steps a work: enqueued, and completed. */
function stepOf({ waitsFor, enqueued }: Standing): number {
  return waitsFor === null ? ((enqueued ?? 0) + 1) * 2 : waitsFor * 2 + 1;
}

/** Only where whoever spoke was read: lines that were left out or folded away make nobody silent. */
function ranksUnheard(
  standings: readonly Standing[],
  waiting: readonly Symptom[],
  placements: Placements,
  context: ReasoningContext,
): Found | null {
  const size = placements.worldSize ?? new Set(context.request.scope.ranks).size;
  const works = new Set(standings.map(({ waitsFor }) => waitsFor));
  const [work] = works;
  const [first] = standings;
  if (first === undefined || work == null || works.size > 1 || size === 0) return null;
  if (waiting.some(isIncomplete) || wasCutShort(context)) return null;
  const heard = new Set(waiting.flatMap(ranksIn));
  const ranks = Array.from({ length: size }, (_, rank) => rank).filter(rank => !heard.has(rank));
  const nodes = new Set(ranks.map(rank => nodeOf(rank, placements)));
  const ofOneNode = nodes.size === 1 && !nodes.has(null);
  const enough = ofOneNode ? ranks.length < size - ranks.length + 1 : heard.size >= size * heardShare;
  if (ranks.length === 0 || heard.size < 2 || !enough) return null;
  return { ranks, work, others: heard.size, how: 'said nothing', shownBy: first.symptom };
}

function ranksIn({ observations, rank }: Symptom): readonly number[] {
  const own = observations.flatMap(observation => (observation.rank === null ? [] : [observation.rank]));
  return rank === null ? own : [...own, rank];
}

/** More lines than are kept: the ranks that said the others are not known. */
const isIncomplete = ({ rank, count, countIsAtLeast, observations }: Symptom): boolean =>
  countIsAtLeast || (rank === null && count > observations.length);

function wasCutShort({ coverage }: ReasoningContext): boolean {
  const cut: ReadonlySet<string> = new Set(['truncated', 'failed', 'timed_out']);
  return coverage.some(
    ({ origin, groups }) => origin === 'job' && groups.some(({ status }) => cut.has(status)),
  );
}

function lateAs(found: Found, placements: Placements, context: ReasoningContext): LateRanks | null {
  const ranks = found.ranks.toSorted((a, b) => a - b);
  const places = ranks.map(rank => nodeOf(rank, placements));
  const nodes = [...new Set(places.filter(node => node !== null))].sort();
  const unplaced = places.filter(node => node === null).length;
  if (unplaced > mostUnplaced || nodes.length >= context.settings.sharedCauseNodes) return null;
  const where = nodes.length === 0 ? '' : ` on ${compressHostList(nodes)}`;
  const who = `rank${ranks.length === 1 ? '' : 's'} ${spans(ranks)}${where}`;
  const said = `${who} did not arrive at work ${found.work}, as ${found.others} others did: ${found.how}`;
  return { ranks, nodes, said, shownBy: found.shownBy };
}

function nodeOf(rank: number, placements: Placements): string | null {
  const placed = placements.ofRank(rank);
  return placed === null || placed === 'contested' ? null : placed.node;
}

/** `0-3, 8` of ascending numbers. */
function spans(numbers: readonly number[]): string {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last.to + 1 === number) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
