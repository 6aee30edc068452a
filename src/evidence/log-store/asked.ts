import type { Clock, CollectPlan } from '../../core/ports.ts';
import type { Nanos, Window } from '../../core/time.ts';
import { minute } from '../../core/time.ts';
import { askedWindow } from '../coverage.ts';
import type { LogOrigin } from './log-store.ts';

/** What a plan asks of one origin of a store. */
export interface Asked {
  readonly origin: LogOrigin;
  readonly window: Window;
  /** Spelled as in the job; empty where nobody named nodes. */
  readonly nodes: readonly string[];
}

/**
 * Origins, windows and nodes that a plan asks of a store. What a session needs again is node-local, but for a source
 * that is needed whole. `everything` is bounded by `everythingHours`, since a store has no beginning.
 */
export function askedOf(
  plan: CollectPlan,
  source: { readonly name: string; readonly origins: readonly LogOrigin[] },
  everythingHours: number,
  clock: Clock,
): readonly Asked[] {
  const all = plan.nodes.map(node => node.name);
  const needs = plan.only?.filter(need => need.source === source.name) ?? null;
  const whole = needs === null || needs.some(need => need.nodes.length === 0);
  const named = new Set((needs ?? []).flatMap(need => need.nodes));
  const again = all.length === 0 ? [...named] : all.filter(node => named.has(node));
  return source.origins.flatMap(origin => {
    const window = windowOf(plan, origin, everythingHours, clock);
    if (window === null) return [];
    if (whole || origin === 'health') return [{ origin, window, nodes: all }];
    return origin === 'kernel' && again.length > 0 ? [{ origin, window, nodes: again }] : [];
  });
}

function windowOf(plan: CollectPlan, origin: LogOrigin, hours: number, clock: Clock): Window | null {
  if (!plan.everything) return askedWindow(plan, origin);
  const now = clock.now();
  return { from: now - hoursOf(hours), to: now };
}

export function hoursOf(hours: number): Nanos {
  return BigInt(Math.round(hours * 60)) * minute;
}
