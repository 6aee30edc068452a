import { existsSync, readFileSync } from 'node:fs';

/** What `expected.json` of a folder from outside asks for. */
export interface OutsideExpectation {
  readonly nodes: readonly string[];
  readonly wholeJob: boolean;
  /** A node is at fault, but its evidence tells no name. */
  readonly anyNode: boolean;
  readonly mustNotName: readonly string[];
}

/**
 * Reads `targets` (each `{"type": "Node", "node": "..."}`, `{"type": "Node"}` where the evidence names no host, or
 * `{"type": "AllJobResources"}`) and `must_not_name`. Throws an Error that names the file and what is wrong.
 */
export function readExpectation(path: string): OutsideExpectation {
  if (!existsSync(path)) throw new Error(`${path} does not exist: a case needs it`);
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`${path} is no JSON`);
  }
  const targets = listOf(read, 'targets');
  if (targets === null) throw new Error(`${path}: "targets" must be a list, empty where nobody is to be named`);
  const ofNode = targets.filter(target => memberOf(target, 'type') === 'Node');
  const nodes = ofNode.map(target => memberOf(target, 'node')).filter(node => typeof node === 'string');
  return {
    nodes,
    wholeJob: targets.some(target => memberOf(target, 'type') === 'AllJobResources'),
    anyNode: ofNode.length > nodes.length,
    mustNotName: (listOf(read, 'must_not_name') ?? [])
      .map(entry => (typeof entry === 'string' ? entry : memberOf(entry, 'node')))
      .filter(node => typeof node === 'string'),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listOf(value: unknown, name: string): readonly unknown[] | null {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : null;
}
