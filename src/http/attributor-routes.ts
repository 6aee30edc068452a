/** What the attributor listener answers. */
export type AttributorRoute =
  | { readonly kind: 'create' }
  | { readonly kind: 'observe'; readonly id: string }
  | { readonly kind: 'read'; readonly id: string }
  | { readonly kind: 'search' }
  | { readonly kind: 'wrong_method'; readonly allow: 'GET' | 'POST' }
  | { readonly kind: 'not_found' };

/** No redirects: clients of the dialect follow none. A slash at the end is ignored instead. */
export function attributorRoute(method: string, target: string, prefix: string): AttributorRoute {
  const path = (target.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '');
  if (path.endsWith('/_search')) return only(method, 'POST', { kind: 'search' });
  if (!path.startsWith(`${prefix}/attributor`)) return { kind: 'not_found' };
  const rest = path.slice(prefix.length + '/attributor'.length);
  if (rest === '') return only(method, 'POST', { kind: 'create' });
  const [, id, what] = /^\/([^/]+)\/(observation|attribution)$/.exec(rest) ?? [];
  const decoded = id === undefined ? null : decode(id);
  if (decoded === null) return { kind: 'not_found' };
  return what === 'observation'
    ? only(method, 'POST', { kind: 'observe', id: decoded })
    : only(method, 'GET', { kind: 'read', id: decoded });
}

function only(method: string, allow: 'GET' | 'POST', route: AttributorRoute): AttributorRoute {
  return method === allow ? route : { kind: 'wrong_method', allow };
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
