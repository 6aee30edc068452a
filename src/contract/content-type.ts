import { trimWhiteSpace } from './pydantic/white-space.ts';

/**
 * Whether a `content-type` says JSON: `application/json` or `application/*+json`, parameters aside. A missing or empty
 * header counts as JSON; a malformed one does not.
 */
export function isJsonContentType(header: string | undefined): boolean {
  if (header === undefined || header === '') return true;
  const [type = ''] = header.split(';', 1);
  const [main, subtype, ...more] = trimWhiteSpace(type).toLowerCase().split('/');
  if (main !== 'application' || subtype === undefined || more.length > 0) return false;
  return subtype === 'json' || subtype.endsWith('+json');
}
