import type { AttributionResponse } from '../contract/index.ts';

/** What a caller gets in shadow mode, whatever was found: a normal result with nothing in it, which is no diagnosis. */
export function withhold(response: AttributionResponse): AttributionResponse {
  const { serviceId, serviceVersion, requestId, attributionSessionId } = response;
  return {
    serviceId,
    serviceVersion,
    requestId,
    attributionSessionId,
    attributions: [],
    unattributedTargets: [],
    error: null,
  };
}
