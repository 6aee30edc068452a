import type { Run } from './diff/compare-operation.ts';
import { compareOperations } from './diff/compare-operation.ts';
import type { Difference } from './diff/difference.ts';
import { report } from './diff/difference.ts';
import { follow } from './diff/shape.ts';
import type { Plain } from './plain.ts';
import { isPlain, member, namesOfBoth, plain, text } from './plain.ts';

export type { Difference, DifferenceKind } from './diff/difference.ts';

/** More schemas than any real document holds; a crafted one must not keep the process busy. */
const maxComparisons = 20_000;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export type ReadOpenapi =
  | { readonly ok: true; readonly document: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly says: string };

/** Reads an exported OpenAPI 3 document from JSON text; `says` is what is wrong with it. */
export function readOpenapi(json: string): ReadOpenapi {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    return { ok: false, says: 'it is no JSON' };
  }
  if (!isPlain(document)) return { ok: false, says: 'it is no JSON object' };
  const version = text(member(document, 'openapi'));
  if (version === null || !version.startsWith('3.')) {
    return { ok: false, says: 'its member "openapi" does not begin with "3."' };
  }
  if (!isPlain(member(document, 'paths'))) return { ok: false, says: 'it has no object "paths"' };
  return { ok: true, document };
}

/**
 * Every difference between our OpenAPI document and theirs. Theirs describes the Adapter that callers were built
 * against; a difference is breaking where such a caller can break when it talks to ours: its request can be refused or
 * mean something else, or it can meet an answer it was not told of. Titles, descriptions, examples, tags, servers and
 * headers of answers are not compared, nor are components that no operation uses. What is no OpenAPI document counts
 * as an empty one: see `readOpenapi`.
 */
export function diffOpenapi(oursDocument: unknown, theirsDocument: unknown): readonly Difference[] {
  const [ours, theirs] = [plain(oursDocument), plain(theirsDocument)];
  const run: Run = { ours, theirs, found: [], budget: { left: maxComparisons, spent: false } };
  compareVersions(run);
  const [oursPaths, theirsPaths] = [plain(member(ours, 'paths')), plain(member(theirs, 'paths'))];
  for (const route of namesOfBoth(theirsPaths, oursPaths)) {
    if (!Object.hasOwn(oursPaths, route)) {
      report(run, route, 'path', true, 'only theirs has this route: callers that use it find nothing');
    } else if (!Object.hasOwn(theirsPaths, route)) {
      report(run, route, 'path', false, 'only ours has this route');
    } else {
      compareRoutes(route, pathItem(oursPaths[route], ours), pathItem(theirsPaths[route], theirs), run);
    }
  }
  if (run.budget.spent) {
    report(run, 'components', 'limit', true, 'the documents are too large or too deep to be compared in full');
  }
  return run.found;
}

function compareVersions({ ours, theirs, found }: Run): void {
  const versions: readonly (readonly [string, unknown, unknown])[] = [
    [
      'info.version',
      member(plain(member(ours, 'info')), 'version'),
      member(plain(member(theirs, 'info')), 'version'),
    ],
    ['openapi', member(ours, 'openapi'), member(theirs, 'openapi')],
  ];
  for (const [path, a, b] of versions) {
    if (a !== b)
      report({ found }, path, 'version', false, `ours is ${text(a) ?? '?'}, theirs ${text(b) ?? '?'}`);
  }
}

function pathItem(value: unknown, document: Plain): Plain {
  const ref = text(member(plain(value), '$ref'));
  return plain(ref === null ? value : follow(ref, document));
}

function compareRoutes(route: string, ours: Plain, theirs: Plain, run: Run): void {
  for (const method of methods) {
    const [oursHas, theirsHas] = [member(ours, method), member(theirs, method)];
    const path = `${method.toUpperCase()} ${route}`;
    if (theirsHas === undefined && oursHas === undefined) continue;
    if (oursHas === undefined) {
      report(run, path, 'operation', true, 'only theirs has this operation: callers that use it are refused');
    } else if (theirsHas === undefined) {
      report(run, path, 'operation', false, 'only ours has this operation');
    } else {
      compareOperations(path, withShared(oursHas, ours), withShared(theirsHas, theirs), run);
    }
  }
}

/** An operation with the parameters that its whole route shares. */
function withShared(operation: unknown, item: Plain): Plain {
  const shared = member(item, 'parameters');
  const own = member(plain(operation), 'parameters');
  const parameters = [...(Array.isArray(shared) ? shared : []), ...(Array.isArray(own) ? own : [])];
  return { ...plain(operation), parameters };
}
