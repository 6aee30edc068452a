import type { AttributionRequest } from '../../contract/index.ts';
import type { NodeIdentity } from '../../core/ports.ts';

/** Names that a template may place, each filled from the request. */
export const placeholders = ['workload_id', 'workflow_id', 'attempt_index', 'node'] as const;

const placeholder = /\{([^{}]*)\}/g;
const safeValue = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A path below a root for one request, and whose it is where the template names a node. */
export interface ExpandedPath {
  /** One path for each spelling of the node, the request's own first; the first that exists is read. */
  readonly candidates: readonly string[];
  readonly node: string | null;
}

export interface Expansion {
  readonly paths: readonly ExpandedPath[];
  /** Why a path could not be made: sentences for coverage. */
  readonly refused: readonly string[];
}

/** What is wrong with a template, with the remedy, or null. */
export function templateProblem(template: string): string | null {
  if (template === '' || template.startsWith('/')) return 'must be a path below its root: remove the leading /';
  const parts = template.split('/');
  if (parts.some(part => part === '' || part === '.' || part === '..')) {
    return 'must not have empty, "." or ".." parts: write the path below its root';
  }
  const unknown = [...template.matchAll(placeholder)].map(match => match[1] ?? '').find(name => !isKnown(name));
  if (unknown !== undefined)
    return `has {${unknown}}: known are ${placeholders.map(name => `{${name}}`).join(', ')}`;
  return /[{}]/.test(template.replaceAll(placeholder, '')) ? 'has an unpaired brace: write {name}' : null;
}

/** A value that can stand in a path without naming another place. */
export function isSafeInPath(value: string): boolean {
  return safeValue.test(value) && !value.includes('..');
}

/** Fills a checked template from the request; `{node}` gives one path a node. */
export function expandTemplate(
  template: string,
  request: AttributionRequest,
  nodes: readonly NodeIdentity[],
): Expansion {
  const values: Readonly<Record<string, string>> = {
    workload_id: request.workloadId,
    workflow_id: request.workloadContext.workflowId,
    attempt_index: String(request.workloadContext.attemptIndex),
  };
  const unsafe = Object.keys(values).find(
    name => template.includes(`{${name}}`) && !isSafeInPath(values[name] ?? ''),
  );
  if (unsafe !== undefined) {
    return {
      paths: [],
      refused: [`the request's ${unsafe} cannot stand in a path, so "${template}" was not read`],
    };
  }
  const fill = (node: string): string =>
    template.replaceAll(placeholder, (_, name: string) => (name === 'node' ? node : (values[name] ?? '')));
  if (!template.includes('{node}')) return { paths: [{ candidates: [fill('')], node: null }], refused: [] };
  if (nodes.length === 0) return { paths: [], refused: [`"${template}" was not read: no node is known`] };
  const paths = nodes.map(({ name, aliases }) => ({
    candidates: [name, ...aliases].filter(isSafeInPath).map(fill),
    node: name,
  }));
  const without = paths.filter(path => path.candidates.length === 0).length;
  const refused =
    without === 0 ? [] : [`the names of ${without} nodes cannot stand in a path of "${template}"`];
  return { paths: paths.filter(path => path.candidates.length > 0), refused };
}

function isKnown(name: string): boolean {
  return (placeholders as readonly string[]).includes(name);
}
