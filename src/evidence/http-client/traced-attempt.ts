import { inSpan } from '../../core/tracing.ts';
import { type Answer, type AttemptParts, attempt, type HttpRequest } from './attempt.ts';

/** Sends a request once, as a span of its own. Neither path nor query is in it: they hold names of nodes. */
export function tracedAttempt(
  request: HttpRequest,
  tried: number,
  parts: AttemptParts,
  signal: AbortSignal,
): Promise<Answer> {
  const { hostname, port, protocol } = new URL(parts.settings.url);
  const attributes = {
    'attribution.source': parts.source,
    'http.request.method': request.method,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    ...(tried === 0 ? {} : { 'http.request.resend_count': tried }),
  };
  return inSpan(parts.tracer, request.method, { kind: 'client', attributes }, async span => {
    const answer = await attempt(request, parts, span.headers(), signal);
    if (answer.ok) {
      span.set({ 'http.response.status_code': answer.status, 'http.response.body.size': answer.bytes });
    } else {
      const { kind, status } = answer.failure;
      if (status !== null) span.set({ 'http.response.status_code': status });
      span.fail(kind === 'status' ? String(status) : kind);
    }
    return answer;
  });
}
