import type { Provider } from '../../core/ports.ts';
import { inSpan } from '../../core/tracing.ts';
import { type AbsorbParts, absorbPushed } from './absorb.ts';
import { type AttributionParts, attributeFailure } from './attribute.ts';
import { rulesProviderState } from './provider-state.ts';
import { scopeOfRequest } from './reading-scope.ts';

export type PushedParts = Pick<AbsorbParts, 'buffers' | 'settings' | 'opener'>;

/** The caller waits for it: no more work than half of what reasoning over the largest session takes. */
const budgetOfAnswer = 10_000;

/**
 * The built-in provider: reads the sources and reasons over them by rules, and over what was pushed where it is told how
 * far to believe that. Pool and sources stay their opener's.
 */
export function createRulesProvider(parts: AttributionParts, pushed: PushedParts | null = null): Provider {
  return {
    kind: 'rules',
    corpusHash: parts.pool.corpusHash,
    async attribute(request, context) {
      const { session } = context.session;
      const scope = scopeOfRequest(request, session, context.now, parts.windows);
      const attribution = await attributeFailure(parts, request, scope, session, context);
      const changes = context.soft.aborted
        ? null
        : inSpan(parts.tracer, 'reckon changes', {}, () =>
            attribution.changes(parts.changesBudget ?? budgetOfAnswer),
          );
      context.session.keep({
        windows: session.windows.length > 0 ? session.windows : scope.windows,
        symptoms: attribution.symptoms,
        coverage: attribution.outcome.coverage,
        corpusHash: parts.pool.corpusHash,
        ...(attribution.history === null ? {} : { history: attribution.history }),
        changes,
      });
      return attribution.outcome;
    },
    state: signal => rulesProviderState(parts, signal),
    ...(pushed === null
      ? {}
      : {
          absorb: (request, session, chunks) => absorbPushed({ ...parts, ...pushed }, request, session, chunks),
        }),
  };
}
