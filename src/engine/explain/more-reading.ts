import type { Symptom } from '../../core/symptom.ts';
import { earliest, millisecond, type Window } from '../../core/time.ts';
import type { ReasoningContext } from '../context.ts';
import { nodeStatuses } from '../node-coverage.ts';
import { causeFrom, lookBack } from './collective-start.ts';

/** What one more read should look at; it may be asked for once. */
export interface MoreReading {
  /** An earlier window, or null for the windows already read. */
  readonly window: Window | null;
  /** Nodes worth a closer look, at most 64; empty means all. */
  readonly nodes: readonly string[];
  /** One sentence an operator understands. */
  readonly why: string;
}

const maxNodes = 64;
/** What would change the answer: the time before a collective got stuck, or a log that was cut short. */
export function moreReading(symptoms: readonly Symptom[], context: ReasoningContext): MoreReading | null {
  return earlierWindow(symptoms, context) ?? closerLook(symptoms, context);
}

function earlierWindow(symptoms: readonly Symptom[], context: ReasoningContext): MoreReading | null {
  const cause = causeFrom(symptoms, context);
  if (cause === null || context.windows.length === 0) return null;
  const read = earliest(context.windows.map(window => window.from));
  const from = context.jobStart === null ? cause : max(cause, context.jobStart);
  // A collective that got stuck well inside the window has its cause there too.
  const margin = lookBack - BigInt(context.settings.sameMomentMs) * millisecond;
  if (cause + margin >= read || from >= read) return null;
  return { window: { from, to: read }, nodes: [], why: 'a collective got stuck before the time that was read' };
}

/** Nodes that job text speaks of but whose own log was cut short. */
function closerLook(symptoms: readonly Symptom[], context: ReasoningContext): MoreReading | null {
  if (symptoms.some(symptom => symptom.role === 'initiating' && symptom.origin !== 'job')) return null;
  const kernel = nodeStatuses(context.coverage, 'kernel');
  const cut = (node: string): boolean => {
    const statuses = kernel.of(node);
    return !statuses.has('complete') && (statuses.has('truncated') || statuses.has('timed_out'));
  };
  const spokenOf = new Set(
    symptoms
      .filter(
        symptom => symptom.role === 'initiating' || (symptom.role === 'unknown' && symptom.strength === 'S4'),
      )
      .flatMap(symptom => (symptom.node === null ? [] : [symptom.node])),
  );
  const nodes = context.jobNodes.filter(node => spokenOf.has(node) && cut(node)).slice(0, maxNodes);
  if (nodes.length === 0) return null;
  return { window: null, nodes, why: 'the logs of nodes that the job speaks of were cut short' };
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
