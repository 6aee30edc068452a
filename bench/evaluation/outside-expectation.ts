import { existsSync, readFileSync } from 'node:fs';

/** What `expected.json` of a folder from outside asks for. */
export interface OutsideExpectation {
  readonly nodes: readonly string[];
  readonly wholeJob: boolean;
  /** A node is at fault, but its evidence tells no name. */
  readonly anyNode: boolean;
  readonly mustNotName: readonly string[];
}

/** Names the file and what is wrong in it. */
export class UnreadableExpectation extends Error {}

/**
 * Reads `targets` (each `{"type": "Node", "node": "..."}`, `{"type": "Node"}` where the evidence names no host, or
 * `{"type": "AllJobResources"}`) and `must_not_name`. Throws UnreadableExpectation, which names the file and what is wrong.
 */
export function readExpectation(path: string): OutsideExpectation {
  if (!existsSync(path)) throw new UnreadableExpectation(`${path} does not exist: a case needs it`);
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UnreadableExpectation(`${path} is no JSON: ${(error as Error).message}`);
  }
  const targets = listOf(read, 'targets');
  if (targets === null)
    throw new UnreadableExpectation(`${path}: "targets" must be a list, empty where nobody is to be named`);
  const odd = targets.findIndex(target => !isTarget(target));
  if (odd >= 0) {
    const forms = '{"type": "Node", "node": "..."}, {"type": "Node"} or {"type": "AllJobResources"}';
    throw new UnreadableExpectation(`${path}: "targets"[${odd}] must be ${forms}`);
  }
  const spared = listOf(read, 'must_not_name');
  if (spared === null && memberOf(read, 'must_not_name') !== undefined) {
    throw new UnreadableExpectation(`${path}: "must_not_name" must be a list, or be left out`);
  }
  const unnamed = (spared ?? []).findIndex(entry => typeof nodeOf(entry) !== 'string');
  if (unnamed >= 0) {
    throw new UnreadableExpectation(
      `${path}: "must_not_name"[${unnamed}] must be a name, or an object with "node"`,
    );
  }
  const ofNode = targets.filter(target => memberOf(target, 'type') === 'Node');
  const nodes = ofNode.map(target => memberOf(target, 'node')).filter(node => typeof node === 'string');
  return {
    nodes,
    wholeJob: targets.some(target => memberOf(target, 'type') === 'AllJobResources'),
    anyNode: ofNode.length > nodes.length,
    mustNotName: (spared ?? []).map(nodeOf).filter(node => typeof node === 'string'),
  };
}

function isTarget(target: unknown): boolean {
  const [type, node] = [memberOf(target, 'type'), memberOf(target, 'node')];
  return type === 'AllJobResources' || (type === 'Node' && (node === undefined || typeof node === 'string'));
}

function nodeOf(entry: unknown): unknown {
  return typeof entry === 'string' ? entry : memberOf(entry, 'node');
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
