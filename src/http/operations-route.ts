import { problemContentType, problemDetails } from '../contract/index.ts';

/** What one request of the operations listener asks. */
export interface OperationsAsked {
  /** Values of the `{name}` parts of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface OperationsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** One thing the operations listener answers, by GET and HEAD. What `answer` throws is a bug: HTTP 500. */
export interface OperationsRoute {
  /** `{name}` stands for one part: `/v1/answers/{request_id}`. */
  readonly path: string;
  /** Answered also where callers are asked who they are: a probe has no credentials. */
  readonly isOpen?: true;
  answer(asked: OperationsAsked): Promise<OperationsAnswer> | OperationsAnswer;
}

export function json(status: number, body: string): OperationsAnswer {
  return { status, contentType: 'application/json', body };
}

export function problem(status: number, says: string): OperationsAnswer {
  return { status, contentType: problemContentType, body: problemDetails(status, says) };
}

/** The route of a path, with what its named parts hold. */
export function matchRoute(
  routes: readonly OperationsRoute[],
  path: string,
): { readonly route: OperationsRoute; readonly path: Readonly<Record<string, string>> } | null {
  for (const route of routes) {
    const values = partsOf(route.path, path);
    if (values !== null) return { route, path: values };
  }
  return null;
}

function partsOf(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const values: [string, string][] = [];
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    const named = part.startsWith('{');
    const decoded = named ? decode(value) : value;
    if (named ? decoded === null || decoded === '' : value !== part) return null;
    if (named) values.push([part.slice(1, -1), decoded ?? '']);
  }
  return Object.fromEntries(values);
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
