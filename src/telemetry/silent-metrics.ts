import type { Metrics } from '../core/ports.ts';

/** Metrics nobody collects. */
export const silentMetrics: Metrics = {
  count() {},
  observe() {},
  set() {},
};
