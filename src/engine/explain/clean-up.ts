import type { Symptom } from '../../core/symptom.ts';
import { type Instant, millisecond, minute, type Nanos, second } from '../../core/time.ts';
import { certainlyAfter, shifted } from './order.ts';

/** What the nodes' own logs tell of the time at which all cleaned up after the job. */
export interface CleanUp {
  /** Moves what a node's own log shows to the time of the other nodes, where that log proves its clock wrong. */
  corrected(symptom: Symptom, instant: Instant): Instant;
  /** Whether a node's own log shows a symptom clearly after the node cleaned up together with the others. */
  precedes(symptom: Symptom): boolean;
  /** Whether the node of a symptom cleaned up with the others by the clock of that symptom, which is right then. */
  isRight(symptom: Symptom): boolean;
}

/** Channels of a job's processes are torn down when these end: on all nodes within moments. */
const channelTeardown = 'gpu-channel-teardown';

/** A node cleans up at once: what comes later than this after the rest is another time. */
const longestPause = minute;
/** Nodes are told to clean up within this time of each other. */
const usualSpread = 30n * second;
const mostSkew = 10n * minute;
const fewestNodes = 3;
/** A fault may be told moments after the channels that it took down. */
const clearlyMs = 5_000;

/**
 * How far the clocks of nodes are off, by the one thing that all do at one time: clean up after the job. A node that
 * did so once tells by how much its clock is wrong, and only where most nodes agree on the time.
 */
export function cleanUpOf(symptoms: readonly Symptom[]): CleanUp {
  const bursts = burstsOf(symptoms);
  const alone = [...bursts.values()].flatMap(list => (list.length === 1 ? list : []));
  const middle = agreedOn(alone.map(({ from }) => from));
  if (middle === null) {
    return { corrected: (_, instant) => instant, precedes: () => false, isRight: () => false };
  }
  const isUsual = (burst: Burst): boolean => distance(burst.from, middle) <= usualSpread;
  const of = ({ node, origin }: Symptom): readonly Burst[] =>
    origin === 'kernel' && node !== null ? (bursts.get(node) ?? []) : [];
  return {
    corrected(symptom, instant) {
      const [burst, ...others] = of(symptom);
      if (burst === undefined || others.length > 0 || burst.last.clock !== instant.clock) return instant;
      if (isUsual(burst) || distance(burst.from, middle) > mostSkew) return instant;
      return shifted(instant, -Number((burst.from - middle) / millisecond));
    },
    isRight(symptom) {
      return of(symptom).some(burst => isUsual(burst) && burst.last.clock === symptom.first.clock);
    },
    precedes(symptom) {
      const burst = of(symptom).find(isUsual);
      return (
        burst !== undefined &&
        burst.last.clock === symptom.first.clock &&
        certainlyAfter(symptom.first, burst.last, clearlyMs)
      );
    },
  };
}

/** The time that most starts lie around, or null. */
function agreedOn(starts: readonly Nanos[]): Nanos | null {
  const sorted = starts.toSorted(ascending);
  const middle = sorted[(sorted.length - 1) >> 1];
  if (middle === undefined || sorted.length < fewestNodes) return null;
  const agreeing = sorted.filter(start => distance(start, middle) <= usualSpread);
  return agreeing.length * 2 > sorted.length ? middle : null;
}

interface Burst {
  readonly from: Nanos;
  readonly last: Instant;
}

/** When the channels of each node were torn down, by its own clock. */
function burstsOf(symptoms: readonly Symptom[]): ReadonlyMap<string, readonly Burst[]> {
  const found = Map.groupBy(
    symptoms.filter(({ symptom, origin }) => symptom === channelTeardown && origin === 'kernel'),
    ({ node }) => node ?? '',
  );
  found.delete('');
  return new Map([...found].map(([node, group]) => [node, burstsIn(group)]));
}

/** Empty where the times of a node cannot be compared. */
function burstsIn(group: readonly Symptom[]): readonly Burst[] {
  const instants = group.flatMap(({ first, last, observations }) => [
    first,
    last,
    ...observations.map(({ instant }) => instant),
  ]);
  const bursts: Burst[] = [];
  const clock = instants[0]?.clock;
  for (const instant of instants.toSorted((a, b) => ascending(a.nanos ?? 0n, b.nanos ?? 0n))) {
    if (instant.nanos === null || instant.clock !== clock) return [];
    const latest = bursts.at(-1);
    const isSame = latest !== undefined && instant.nanos - (latest.last.nanos ?? 0n) <= longestPause;
    if (isSame) bursts[bursts.length - 1] = { ...latest, last: instant };
    else bursts.push({ from: instant.nanos, last: instant });
  }
  return bursts;
}

const ascending = (a: Nanos, b: Nanos): number => (a < b ? -1 : a > b ? 1 : 0);
const distance = (a: Nanos, b: Nanos): Nanos => (a > b ? a - b : b - a);
