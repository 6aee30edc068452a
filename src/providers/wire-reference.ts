import type { Reference } from '../core/symptom.ts';

/** A reference read from the form that answers write it in: `query @ stamp`, or `path:line`. */
export function referenceFromWire(text: string): Reference {
  const at = text.lastIndexOf(' @ ');
  if (at >= 0) return { kind: 'query', query: text.slice(0, at), stamp: text.slice(at + 3) };
  const colon = text.lastIndexOf(':');
  const line = Number(text.slice(colon + 1));
  if (colon > 0 && Number.isSafeInteger(line)) return { kind: 'file', path: text.slice(0, colon), line };
  return { kind: 'query', query: text, stamp: '' };
}
