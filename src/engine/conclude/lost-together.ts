import type { Symptom } from '../../core/symptom.ts';
import { expandHostList } from '../../lines/host-list.ts';
import type { ReasoningContext } from '../context.ts';
import { certainlyAfter } from '../explain/order.ts';
import { isCounted } from './counted.ts';

/** A scheduler's word that it lost a node: it tells of the way there as much as of the node. */
export const isLoss = ({ category, origin, lasts }: Symptom): boolean =>
  category === 'node_lost' && origin === 'scheduler' && !lasts;

/** What tells of several nodes in one line, which it lists. */
const setDown = 'nodes-down';
const mostListed = 65_536;

/** How many nodes a scheduler lost at the moment at which it lost those of the group, in the job or beside it. */
export function lostWith(
  group: readonly Symptom[],
  symptoms: readonly Symptom[],
  { settings }: ReasoningContext,
): number {
  const isThen = (other: Symptom): boolean =>
    group.some(
      ({ first }) =>
        !certainlyAfter(other.first, first, settings.sameMomentMs) &&
        !certainlyAfter(first, other.last, settings.sameMomentMs),
    );
  const nodes = group.map(({ node }) => node);
  const then = symptoms.filter(
    other => other.origin === 'scheduler' && isCounted(other, group) && isThen(other),
  );
  const alike = then.filter(other => isLoss(other) && other.blames === 'node').map(({ node }) => node);
  const listed = then.filter(({ symptom }) => symptom === setDown).flatMap(listedIn);
  const together = listed.filter(list => nodes.some(node => list.has(node ?? '')));
  const lost = new Set([...nodes, ...alike, ...together.flatMap(list => [...list])]);
  lost.delete(null);
  return lost.size;
}

/** The nodes of each line. */
function listedIn({ observations }: Symptom): readonly ReadonlySet<string>[] {
  return observations.flatMap(({ captures }) => {
    const expanded = expandHostList(captures['nodes'] ?? '', mostListed);
    return expanded.ok ? [new Set(expanded.names)] : [];
  });
}
