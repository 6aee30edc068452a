import type { IncomingMessage, ServerResponse } from 'node:http';
import { detail } from '../contract/index.ts';
import type { Metrics } from '../core/ports.ts';
import type { Admittance, Authenticate } from './callers.ts';
import { refuse } from './gate.ts';
import { announcedBytes } from './limited-body.ts';
import type { LoadLimits } from './load-limits.ts';

/** Lets requests for an attribution in before anything of their body is read. */
export interface Entrance {
  /** Who is let in; null where it has been answered with 401 or 503. */
  letIn(request: IncomingMessage, response: ServerResponse): Admittance;
}

export interface EntranceParts {
  readonly authenticate: Authenticate;
  readonly limits: LoadLimits;
  readonly bodyLimitBytes: number;
  readonly metrics?: Metrics | undefined;
}

export function createEntrance({ authenticate, limits, bodyLimitBytes, metrics }: EntranceParts): Entrance {
  const refused = (reason: string): void => metrics?.count('attribution_refused_requests_total', { reason });
  return {
    letIn(request, response) {
      const admitted = authenticate(request);
      if (admitted === null) {
        refused('unauthenticated');
        refuse(response, 401, detail('Not authenticated'), { 'www-authenticate': 'Bearer' });
        return null;
      }
      const leave = limits.enter(admitted.caller, announcedBytes(request, bodyLimitBytes));
      if (leave === null) {
        refused('overload');
        refuse(response, 503, detail('Too many requests are being answered: try again later'), {
          'retry-after': String(limits.retryAfterSeconds()),
        });
        return null;
      }
      response.once('close', leave);
      return admitted;
    },
  };
}
