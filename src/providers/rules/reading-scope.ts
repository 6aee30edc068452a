import type { AttributionRequest } from '../../contract/index.ts';
import type { CollectPlan } from '../../core/ports.ts';
import type { Session } from '../../core/session.ts';
import type { Nanos, Window } from '../../core/time.ts';
import { unreadNeeds } from './merge-coverage.ts';
import { cutAtPresent, epilogWindow, fastWindow, type WindowSettings } from './windows.ts';

/** What is read, and around which moment; `everything` ignores windows (`analyze` without times). */
export interface ReadingScope {
  readonly windows: readonly Window[];
  readonly epilogWindow: Window | null;
  readonly notYet: Window | null;
  readonly only: CollectPlan['only'];
  readonly everything: boolean;
  /** Null: the job's end as the sources tell it, else the last thing seen. */
  readonly moment: Nanos | null;
}

/** What a request is to read, given what its session has read already. */
export function scopeOfRequest(
  request: AttributionRequest,
  session: Session,
  now: Nanos,
  settings: WindowSettings,
): ReadingScope {
  const known = session.windows.length > 0;
  const fast = fastWindow(request, now, settings);
  if (request.phase === 'fast') {
    return {
      windows: [fast.past],
      notYet: fast.notYet,
      epilogWindow: null,
      only: null,
      everything: false,
      moment: session.moment,
    };
  }
  const epilog = epilogWindow(request);
  const readable = epilog === null ? null : cutAtPresent(epilog, now);
  return {
    windows: known ? session.windows : [fast.past],
    notYet: readable?.notYet ?? null,
    epilogWindow: readable?.past ?? null,
    only: known && session.forgotten === undefined ? unreadNeeds(session.coverage) : null,
    everything: false,
    moment: session.moment,
  };
}
