import type { AttributionRequest } from '../../contract/index.ts';
import { earliest, latest, minute, type Nanos, type Window } from '../../core/time.ts';

/** How far around the failure a fast request looks; a collective's time-out surfaces about 10 minutes after its cause. */
export interface WindowSettings {
  readonly beforeMinutes: number;
  readonly afterMinutes: number;
}

export const defaultWindowSettings: WindowSettings = { beforeMinutes: 15, afterMinutes: 2 };

/** What can be read now of a window, and the part that still lies ahead; nothing waits for that part. */
export interface ReadableWindow {
  readonly past: Window;
  readonly notYet: Window | null;
}

/** The fast window: around all reference times given, not before `scope.start_time`, cut at the present. */
export function fastWindow(request: AttributionRequest, now: Nanos, settings: WindowSettings): ReadableWindow {
  const times = referenceTimes(request);
  const to = latest(times) + BigInt(settings.afterMinutes) * minute;
  const wide = earliest(times) - BigInt(settings.beforeMinutes) * minute;
  const start = request.phase === 'slow' ? null : request.scope.startTime;
  const from = start !== null && start > wide && start < to ? start : wide;
  return cutAtPresent({ from, to }, now);
}

/** The epilog window of a slow request, or null where it is missing, empty or reversed. */
export function epilogWindow(request: AttributionRequest): Window | null {
  const { startTime, endTime } = request.scope;
  if (startTime === null || endTime === null || startTime >= endTime) return null;
  return { from: startTime, to: endTime };
}

/** The earliest reference time of a request: its moment of failure. */
export function momentOf(request: AttributionRequest): Nanos {
  return earliest(referenceTimes(request));
}

export function cutAtPresent(window: Window, now: Nanos): ReadableWindow {
  if (now >= window.to) return { past: window, notYet: null };
  const cut = now > window.from ? now : window.from;
  return { past: { from: window.from, to: cut }, notYet: { from: cut, to: window.to } };
}

/** A slow request's scope is the epilog window and says nothing about the failure. */
function referenceTimes(request: AttributionRequest): readonly Nanos[] {
  const end = request.phase === 'slow' ? null : request.scope.endTime;
  const given = [request.failureContext.detectedAt, end, request.workloadContext.jobEndTime];
  return given.filter(time => time !== null);
}
