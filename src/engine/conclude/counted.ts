import type { Symptom } from '../../core/symptom.ts';
import { certainlyAfter, skewMs } from '../explain/order.ts';

/** By what a symptom is set aside for its time alone, which may be that of a wrong clock. */
const byTimeAlone: ReadonlySet<string> = new Set(['after-end', 'outside-window', 'survived']);

/**
 * Whether what another node shows counts beside those accused. Consequences do, whatever they follow from. So does what
 * only its node's clock sets aside: were that wrong, it would be of the same moment.
 */
export function isCounted(other: Symptom, accused: readonly Symptom[]): boolean {
  if (other.role !== 'context' && other.role !== 'teardown') return true;
  if (!byTimeAlone.has(other.reason?.pass ?? '')) return false;
  return accused.some(
    ({ first }) => !certainlyAfter(other.first, first, skewMs) && !certainlyAfter(first, other.last, skewMs),
  );
}
