import type { Provider } from '../../core/ports.ts';
import { type AttributionParts, attributeFailure, scopeOfRequest } from './attribute.ts';

/** The built-in provider: reads the sources and reasons over them by rules. Pool and sources stay their opener's. */
export function createRulesProvider(parts: AttributionParts): Provider {
  return {
    kind: 'rules',
    corpusHash: parts.pool.corpusHash,
    async attribute(request, context) {
      const { session } = context.session;
      const scope = scopeOfRequest(request, session, context.now, parts.windows);
      const attribution = await attributeFailure(parts, request, scope, session, context);
      context.session.keep({
        windows: session.windows.length > 0 ? session.windows : scope.windows,
        symptoms: attribution.symptoms,
        coverage: attribution.outcome.coverage,
        corpusHash: parts.pool.corpusHash,
        ...(attribution.history === null ? {} : { history: attribution.history }),
      });
      return attribution.outcome;
    },
  };
}
