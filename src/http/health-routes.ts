import type { Readiness } from '../adapter/readiness.ts';
import { renderReadiness } from '../contract/index.ts';
import { json, type OperationsRoute } from './operations-route.ts';

/** Says that the process answers. */
export const livezRoute: OperationsRoute = {
  path: '/livez',
  isOpen: true,
  answer: () => json(200, '{"status":"ok"}'),
};

/** Says whether requests would be answered, and what each part says for itself: 200 or 503. */
export function readyzRoute(readiness: Readiness): OperationsRoute {
  return {
    path: '/readyz',
    isOpen: true,
    async answer() {
      const state = await readiness.look();
      return json(state.ready ? 200 : 503, renderReadiness(state));
    },
  };
}
