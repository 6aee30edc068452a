export const attributionPath = '/v1/attribution';

/** Everything the public port answers, with the methods it takes. GET of a page takes HEAD too, as Starlette's does; a FastAPI route does not. */
export const routes: ReadonlyMap<string, readonly string[]> = new Map([
  [attributionPath, ['POST']],
  ['/healthz', ['GET']],
  ['/openapi.json', ['GET', 'HEAD']],
  ['/docs', ['GET', 'HEAD']],
]);

/** What becomes of a request before anything of its body is read. */
export type Routing =
  | { readonly kind: 'route'; readonly path: string }
  /** The path with a slash too many, query kept. */
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'wrong_method'; readonly allow: string }
  | { readonly kind: 'not_found' };

/** The methods of `OPTIONS *`, which asks about the server as a whole. */
const anyMethods = [...new Set([...routes.values()].flat())].sort().join(', ');

/** Paths are compared after percent-decoding, as ASGI servers do; absolute request targets count by their path. */
export function routeOf(method: string, target: string): Routing {
  if (target === '*') return { kind: 'wrong_method', allow: anyMethods };
  const { path, query } = splitTarget(target);
  const methods = routes.get(path);
  if (methods !== undefined) {
    if (methods.includes(method)) return { kind: 'route', path };
    return { kind: 'wrong_method', allow: methods.join(', ') };
  }
  const shorter = withoutSlashes(path);
  return routes.has(shorter) ? { kind: 'redirect', to: shorter + query } : { kind: 'not_found' };
}

function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith('/') ? target : afterAuthority(target);
  const end = local.search(/[?#]/);
  const path = end < 0 ? local : local.slice(0, end);
  const query = end < 0 || local[end] === '#' ? '' : (local.slice(end).split('#', 1)[0] ?? '');
  return { path: decodePath(path), query };
}

function afterAuthority(target: string): string {
  const scheme = target.indexOf('://');
  const slash = scheme < 0 ? -1 : target.indexOf('/', scheme + 3);
  return slash < 0 ? '' : target.slice(slash);
}

/** A path that cannot be decoded is no path of ours. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
