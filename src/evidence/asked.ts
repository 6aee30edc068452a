import type { Origin } from '../core/batch.ts';
import type { Clock, CollectPlan } from '../core/ports.ts';
import { minute, type Window } from '../core/time.ts';
import { askedWindow } from './coverage.ts';

/** Nodes that a plan asks of a source that reads by node: what a session needs again names some, or the source as a whole. */
export function askedNodes(source: string, plan: CollectPlan): readonly string[] {
  const all = plan.nodes.map(node => node.name);
  const needs = plan.only?.filter(need => need.source === source) ?? null;
  if (needs === null || needs.some(need => need.nodes.length === 0)) return all;
  const named = new Set(needs.flatMap(need => need.nodes));
  return all.length === 0 ? [...named] : all.filter(node => named.has(node));
}

/** What a plan asks of an origin; `everything` is the last hours, since a server has no beginning. */
export function askedOrRecent(
  plan: CollectPlan,
  origin: Origin,
  everythingHours: number,
  clock: Clock,
): Window | null {
  if (!plan.everything) return askedWindow(plan, origin);
  const now = clock.now();
  return { from: now - hours(everythingHours), to: now };
}

export function hours(count: number): bigint {
  return BigInt(Math.round(count * 60)) * minute;
}
