import type { Symptom } from '../../core/symptom.ts';
import { earliest, type Instant, latest, type Nanos } from '../../core/time.ts';
import type { Pass, ReasoningContext } from '../context.ts';
import { isUndecided, withoutWhatPreceded } from './causal.ts';
import { causeFrom, undatedLagMs } from './collective-start.ts';
import { consequencesOn } from './one-fault.ts';
import { certainlyAfter, wallInstant } from './order.ts';
import { settle } from './verdict.ts';

const name = 'outside-window';

/**
 * Sources may hand over more than was asked for; a fault outside the windows says nothing about this failure. Where a
 * collective seen in the windows got stuck before them, the cause lies around then. States that last stay, and so do
 * health checks, which speak after the fact, and what had consequences in the windows by another clock.
 */
export const outsideWindow: Pass = {
  name,
  run(symptoms, context) {
    if (context.windows.length === 0) return symptoms;
    const from = beginning(symptoms, context);
    const to = wallInstant(ending(context));
    const consequenceOf = consequencesOn(symptoms, ({ first }) => !certainlyAfter(first, to));
    return symptoms.map(symptom => {
      if (!isUndecided(symptom) || stays(symptom, context)) return symptom;
      if (isBefore(symptom, symptom.last, from)) {
        return settle(symptom, 'context', name, 'seen before the time looked at, and not since');
      }
      if (symptom.origin !== 'health' && certainlyAfter(symptom.first, to)) {
        if (symptom.origin === 'kernel' && consequenceOf(symptom) !== undefined) return symptom;
        return settle(symptom, 'context', name, 'seen after the time looked at');
      }
      if (symptom.lasts) return symptom;
      return undatedLagMs(symptom) > 0 ? symptom : withoutWhatPreceded(symptom, from);
    });
  },
};

/** A state that lasts; where nobody knows when the job began, what a health check found long before may be another's. */
function stays({ lasts, origin }: Symptom, { jobStart }: ReasoningContext): boolean {
  return lasts && (origin !== 'health' || jobStart !== null);
}

/** Where the windows begin, or the look back from a collective that got stuck earlier. */
function beginning(symptoms: readonly Symptom[], context: ReasoningContext): Instant {
  const asked = earliest(context.windows.map(window => window.from));
  const seen = symptoms.filter(symptom => !isBefore(symptom, symptom.first, wallInstant(asked)));
  const cause = causeFrom(seen, context);
  return wallInstant(cause === null ? asked : earliest([asked, cause]));
}

function isBefore(symptom: Symptom, seen: Instant, from: Instant): boolean {
  return certainlyAfter(from, seen, undatedLagMs(symptom));
}

/** Where the last of the windows ends. */
function ending({ windows, epilogWindow }: ReasoningContext): Nanos {
  const all = epilogWindow === null ? windows : [...windows, epilogWindow];
  return latest(all.map(window => window.to));
}
