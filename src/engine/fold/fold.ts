import { createHash } from 'node:crypto';
import type { Observation, Symptom } from '../../core/symptom.ts';
import type { Instant } from '../../core/time.ts';
import { compareText } from '../corpus/problem.ts';
import { countGroup, meetsCount } from './count.ts';
import { compareLatest, compareObservations } from './order.ts';
import type { Sighting } from './sighting.ts';

/** Observations a symptom keeps: the earliest. */
const keptObservations = 5;
/** Of these a rule that keeps ends (progress) gives some to the latest. */
const keptEarliestOfEnds = 2;

/** Sightings folded by rule, node (else rank, else stream and task), device and code, in whatever order they come. */
export interface Fold {
  add(sighting: Sighting): void;
  /** Says that a rule (or one code of it) was seen on a stream more often than it was added. */
  markCapped(rule: string, code: string | null, stream: string): void;
  /** What has been seen so far, by rule and then in a stable order; roles are for explain to give. */
  symptoms(): readonly Symptom[];
}

interface Entry {
  readonly key: string;
  readonly sample: Sighting;
  count: number;
  /** By `compareObservations`; the earliest is always among them. */
  observations: Observation[];
  last: Observation;
  /** Whether observations of different ranks came together. */
  mixedRanks: boolean;
  readonly streams: Set<string>;
  readonly group: string | null;
}

export function streamKey(source: string, stream: string): string {
  return `${source}\0${stream}`;
}

export function createFold(): Fold {
  const entries = new Map<string, Entry>();
  const groups = new Map<string, Instant[]>();
  const capped = new Set<string>();

  const isCapped = ({ sample: { rule, meaning }, streams }: Entry): boolean =>
    [...streams].some(
      stream =>
        capped.has(capKey(rule.id, null, stream)) || capped.has(capKey(rule.id, meaning?.code ?? null, stream)),
    );
  const exists = ({ sample: { rule }, group }: Entry): boolean =>
    rule.count === null || group === null || meetsCount(rule.count, groups.get(group) ?? []);

  return {
    add(sighting) {
      const { rule, observation } = sighting;
      const group = rule.count === null ? null : countGroup(rule.count, sighting);
      if (group !== null) {
        const instants = groups.get(group);
        if (instants === undefined) groups.set(group, [observation.instant]);
        else instants.push(observation.instant);
      }
      const key = foldKey(sighting);
      const known = entries.get(key);
      if (known === undefined) entries.set(key, newEntry(key, sighting, group));
      else extend(known, observation, rule.keepEnds);
    },
    markCapped(rule, code, stream) {
      capped.add(capKey(rule, code, stream));
    },
    symptoms() {
      return [...entries.values()]
        .filter(exists)
        .sort((a, b) => compareText(a.key, b.key))
        .map(entry => symptomOf(entry, isCapped(entry)));
    },
  };
}

function capKey(rule: string, code: string | null, stream: string): string {
  return `${rule}\0${code ?? ''}\0${stream}`;
}

function newEntry(key: string, sighting: Sighting, group: string | null): Entry {
  const { observation } = sighting;
  return {
    key,
    sample: sighting,
    count: 1,
    observations: [observation],
    last: observation,
    mixedRanks: false,
    streams: new Set([streamKey(observation.source, observation.stream)]),
    group,
  };
}

function extend(entry: Entry, observation: Observation, keepEnds: boolean): void {
  entry.count += 1;
  entry.streams.add(streamKey(observation.source, observation.stream));
  if (compareLatest(observation, entry.last) > 0) entry.last = observation;
  if (observation.rank !== entry.sample.observation.rank) entry.mixedRanks = true;
  const latest = entry.observations.at(-1);
  const full = entry.observations.length === keptObservations;
  if (full && !keepEnds && latest !== undefined && compareObservations(observation, latest) > 0) return;
  entry.observations.push(observation);
  entry.observations.sort(compareObservations);
  if (full) entry.observations.splice(keepEnds ? keptEarliestOfEnds : keptObservations, 1);
}

/**
 * Trust follows transport, so what two origins saw is never one symptom. Nor is what two labelled tasks said, which
 * may have run on two nodes.
 */
function foldKey({ rule, observation, meaning }: Sighting): string {
  const { origin, node, rank, source, stream, device, captures } = observation;
  const { task } = captures;
  const speaker = task === undefined ? [] : [task];
  const place =
    node !== null ? ['node', node] : rank !== null ? ['rank', rank] : ['stream', source, stream, ...speaker];
  const who =
    rule.role === 'placement'
      ? [rank, captures['task'] ?? null, captures['local_rank'] ?? null, captures['job'] ?? null]
      : null;
  const where = device === null ? null : [device.pci, device.uuid, device.index, device.name];
  return JSON.stringify([rule.id, origin, place, where, meaning?.code ?? null, meaning?.conflict ?? null, who]);
}

function symptomOf(entry: Entry, capped: boolean): Symptom {
  const { key, sample, count, observations, last, mixedRanks } = entry;
  const { rule, meaning } = sample;
  const row = meaning?.row ?? null;
  const earliest = observations[0] ?? sample.observation;
  return {
    id: createHash('sha256').update(key).digest('hex').slice(0, 16),
    rule: rule.id,
    title: titleOf(sample, row?.title ?? rule.title),
    symptom: row?.symptom ?? rule.symptom,
    code: meaning?.code ?? null,
    category: row?.category ?? rule.category,
    blames: row?.blames ?? rule.blames,
    ruleRole: row?.role ?? rule.role,
    strength: row?.strength ?? rule.strength,
    status: row?.status ?? rule.status,
    lasts: rule.lasts,
    inhibits: row?.inhibits ?? rule.inhibits,
    origin: earliest.origin,
    stream: earliest.stream,
    node: earliest.node,
    rank: mixedRanks ? null : earliest.rank,
    device: earliest.device,
    first: earliest.instant,
    last: last.instant,
    count,
    countIsAtLeast: capped || (rule.keepEnds && count > 1),
    observations: [...observations],
    role: 'unknown',
    reason: null,
  };
}

function titleOf({ meaning }: Sighting, title: string): string {
  const conflict = meaning?.conflict ?? null;
  return conflict === null ? title : `${title} (${conflict})`;
}
