import type { Symptom } from '../../core/symptom.ts';
import { type Instant, millisecond, minute, type Nanos, second } from '../../core/time.ts';
import { shifted } from './order.ts';

/** Moves what a node's own log shows to the time of the other nodes, where that log proves its clock wrong. */
export interface ClockSkew {
  corrected(symptom: Symptom, instant: Instant): Instant;
}

/** Channels of a job's processes are torn down when these end: on all nodes within moments. */
const cleanUp = 'gpu-channel-teardown';

/** A node cleans up at once; what spreads over more holds something else as well. */
const longestBurst = minute;
/** Nodes are told to clean up within this time of each other. */
const usualSpread = 30n * second;
const mostSkew = 10n * minute;
const fewestNodes = 3;

/**
 * How far the clocks of nodes are off, by the one thing that all do at one time: clean up after the job. Only a burst
 * that stands alone on its node tells, and only where most nodes agree on the time.
 */
export function clockSkewOf(symptoms: readonly Symptom[]): ClockSkew {
  const bursts = burstsIn(symptoms);
  const starts = [...bursts.values()].map(({ from }) => from).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = starts[(starts.length - 1) >> 1];
  const agreeing = starts.filter(start => middle !== undefined && distance(start, middle) <= usualSpread);
  if (middle === undefined || starts.length < fewestNodes || agreeing.length * 2 <= starts.length) {
    return { corrected: (_, instant) => instant };
  }
  return {
    corrected({ node, origin }, instant) {
      const burst = origin === 'kernel' && node !== null ? bursts.get(node) : undefined;
      if (burst === undefined || burst.clock !== instant.clock) return instant;
      const ahead = burst.from - middle;
      if (distance(burst.from, middle) <= usualSpread || distance(burst.from, middle) > mostSkew)
        return instant;
      return shifted(instant, -Number(ahead / millisecond));
    },
  };
}

interface Burst {
  readonly from: Nanos;
  readonly to: Nanos;
  readonly clock: string;
}

/** The clean-up of each node, where it is one burst by one clock. */
function burstsIn(symptoms: readonly Symptom[]): ReadonlyMap<string, Burst> {
  const found = Map.groupBy(
    symptoms.filter(({ symptom, origin }) => symptom === cleanUp && origin === 'kernel'),
    ({ node }) => node ?? '',
  );
  const bursts = new Map<string, Burst>();
  for (const [node, group] of found) {
    const instants = group.flatMap(({ first, last }) => [first, last]);
    const times = instants.map(({ nanos }) => nanos).filter(nanos => nanos !== null);
    const clocks = new Set(instants.map(({ clock }) => clock));
    if (node === '' || times.length < instants.length || clocks.size > 1) continue;
    const from = times.reduce((a, b) => (a < b ? a : b));
    const to = times.reduce((a, b) => (a > b ? a : b));
    if (to - from <= longestBurst) bursts.set(node, { from, to, clock: instants[0]?.clock ?? '' });
  }
  return bursts;
}

const distance = (a: Nanos, b: Nanos): Nanos => (a > b ? a - b : b - a);
