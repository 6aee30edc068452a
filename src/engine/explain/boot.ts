import type { Symptom } from '../../core/symptom.ts';
import type { Instant } from '../../core/time.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided } from './causal.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { settle, strengthRank } from './verdict.ts';

const name = 'boot';

/**
 * A node that started again during the job had lost it by then: what its own log shows afterwards is not the cause.
 * And while devices settle after a start, links that are down and devices not yet there say nothing.
 */
export const boot: Pass = {
  name,
  run(symptoms, context) {
    const boots = new Map<string, Instant[]>();
    for (const symptom of symptoms) {
      if (symptom.ruleRole !== 'boot' || symptom.node === null || !isOfMachine(symptom)) continue;
      boots.set(symptom.node, [...(boots.get(symptom.node) ?? []), symptom.first, symptom.last]);
    }
    if (boots.size === 0) return symptoms;
    return symptoms.map(symptom => {
      const starts = symptom.node === null ? undefined : boots.get(symptom.node);
      return starts !== undefined && isUndecided(symptom) ? judge(symptom, starts, context) : symptom;
    });
  },
};

/** A port or a driver that comes up is no start of its node. */
function isOfMachine({ category }: Symptom): boolean {
  return category === 'node_lost' || category === 'host_kernel';
}

function judge(symptom: Symptom, starts: readonly Instant[], context: ReasoningContext): Symptom {
  const preceding = starts.filter(start => certainlyAfter(symptom.first, start));
  const jobStart = context.jobStart === null ? null : wallInstant(context.jobStart);
  const fromNodeLog = symptom.origin === 'kernel' || symptom.origin === 'exporter';
  if (fromNodeLog && !symptom.lasts && jobStart !== null) {
    if (preceding.some(start => certainlyAfter(start, jobStart))) {
      return settle(
        symptom,
        'context',
        name,
        'the node had started again by then, and its part of the job was over',
      );
    }
  }
  const settling = preceding.some(start => !certainlyAfter(symptom.last, start, context.settings.bootQuietMs));
  if (settling && strengthRank(symptom) > 1) {
    return settle(symptom, 'context', name, 'devices were still settling after the node started');
  }
  return symptom;
}
