import type { TraceHeaders } from '../core/tracing.ts';

const longestTraceparent = 128;
/** The specification asks to pass on at least 512 characters; more is not carried into every log line. */
const longestTracestate = 512;

/** Reads both headers; a broken traceparent takes its tracestate with it, as the specification says. */
export function readTraceHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): TraceHeaders {
  const traceparent = single(headers['traceparent']);
  if (traceparent === null || !isTraceparent(traceparent)) return { traceparent: null, tracestate: null };
  const tracestate = single(headers['tracestate']);
  return { traceparent, tracestate: tracestate !== null && isTracestate(tracestate) ? tracestate : null };
}

function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header.trim() : null;
}

/** `00-<32 hex>-<16 hex>-<2 hex>`; later versions may append members, `ff` and ids of zeros are invalid. */
function isTraceparent(text: string): boolean {
  if (text.length > longestTraceparent) return false;
  const [version = '', traceId = '', parentId = '', flags = '', ...more] = text.split('-');
  if (!isHex(version, 2) || version === 'ff' || (version === '00' && more.length > 0)) return false;
  return isId(traceId, 32) && isId(parentId, 16) && isHex(flags, 2);
}

function isId(text: string, length: number): boolean {
  return isHex(text, length) && !/^0*$/.test(text);
}

function isHex(text: string, length: number): boolean {
  return text.length === length && /^[0-9a-f]*$/.test(text);
}

function isTracestate(text: string): boolean {
  return (
    text.length > 0 && text.length <= longestTracestate && /^[\x20-\x7e]*$/.test(text) && text.includes('=')
  );
}
