import type { ReceivedSpan } from './otlp-receiver.ts';

const millisecond = 1_000_000;
const kinds: Readonly<Record<number, string>> = { 2: ' (server)', 3: ' (client)' };

/** Spans below a parent, a line each, in the order of their beginning; those below them are set in. */
export function traceTree(spans: readonly ReceivedSpan[], parentSpanId: string): readonly string[] {
  return spans
    .filter(span => span.parentSpanId === parentSpanId)
    .sort((a, b) => Number(a.startNanos - b.startNanos))
    .flatMap(span => [lineOf(span), ...traceTree(spans, span.spanId).map(line => `  ${line}`)]);
}

function lineOf({ name, kind, attributes, startNanos, endNanos, failed }: ReceivedSpan): string {
  const source = attributes['attribution.source'];
  const took = (Number(endNanos - startNanos) / millisecond).toFixed(1);
  const about = source === undefined ? '' : ` ${source}`;
  return `${name}${kinds[kind] ?? ''}${about}  ${took} ms${failed ? `  failed: ${attributes['error.type']}` : ''}`;
}
