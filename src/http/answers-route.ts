import type { AuditStore } from '../core/audit.ts';
import { json, type OperationsRoute, problem } from './operations-route.ts';

const mostAnswers = 20;

/** Answers as they were given, with what they were made from; null where none are kept. */
export function answersRoute(audit: Pick<AuditStore, 'find'> | null): OperationsRoute {
  return {
    path: '/v1/answers/{id}',
    async answer({ path }) {
      if (audit === null) return problem(404, 'No answers are kept: audit.enabled is false');
      const found = await audit.find(path['id'] ?? '', mostAnswers);
      if (found.length === 0) {
        return problem(404, 'No answer is kept of a request, session or workload of that id');
      }
      // Each body is a JSON document already.
      return json(200, `{"answers":[${found.map(({ body }) => body).join(',')}]}`);
    },
  };
}
