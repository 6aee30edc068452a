import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDirectory } from './node-names.ts';
import { namesApart, undoubtedNames } from './undoubted-names.ts';

const kept = (...names: readonly string[]): readonly string[] => [
  ...undoubtedNames(new Map(names.map(name => [name, 'node-01'])), nodeDirectory([])).keys(),
];

/** Which names of a store are those of the job's nodes, each given with its aliases. */
function keptOf(nodes: Readonly<Record<string, readonly string[]>>, ...names: readonly string[]) {
  const directory = nodeDirectory(Object.entries(nodes).map(([name, aliases]) => ({ name, aliases })));
  const joined = names.flatMap(name => {
    const match = directory.resolve(name);
    return match.kind === 'one' ? [[name, match.node] as const] : [];
  });
  return [...undoubtedNames(new Map(joined), directory).keys()];
}

test('one full name, with any port, is the node', () => {
  assert.deepEqual(kept('node-01.a.example'), ['node-01.a.example']);
  assert.deepEqual(kept('Node-01.A.example:9100', 'node-01.a.example'), [
    'Node-01.A.example:9100',
    'node-01.a.example',
  ]);
});

test('full names of two domains are two machines, and neither is taken for the node', () => {
  assert.deepEqual(kept('node-01.a.example', 'node-01.b.example'), []);
});

test('the name as the node has it counts before full names', () => {
  assert.deepEqual(kept('node-01', 'node-01.other.example'), ['node-01']);
  assert.deepEqual(kept('node-01:9100', '10.0.0.1:9100', 'node-01.other.example'), [
    'node-01:9100',
    '10.0.0.1:9100',
  ]);
});

test('full names of what the node calls itself are told apart as well', () => {
  assert.deepEqual(kept('gpu-a1.a.example', 'gpu-a1.b.example', '10.0.0.1'), ['10.0.0.1']);
  assert.deepEqual(kept('gpu-a1.a', 'gpu-a1.a.example'), ['gpu-a1.a', 'gpu-a1.a.example']);
});

test('a longer name of the same domain is no other machine, and neither is the short one beside it', () => {
  const apart = (...names: readonly string[]) => [...namesApart(new Map(names.map(name => [name, 'node-01'])))];
  assert.deepEqual(apart('node-01', 'node-01.a', 'node-01.a.example', 'node-01.a.example:9100'), []);
  assert.deepEqual(apart('node-01', 'node-01.a', 'node-01.b'), ['node-01.a', 'node-01.b']);
});

test('the full name that the job has counts before a longer one', () => {
  const names = new Map([
    ['node-01.a', 'node-01.a'],
    ['node-01', 'node-01.a'],
    ['node-01.a.example', 'node-01.a'],
  ]);
  assert.deepEqual([...undoubtedNames(names, nodeDirectory([])).keys()], ['node-01.a', 'node-01']);
});

const three = { 'node-01': [], 'node-02': [], 'node-03': [] };

test('a name of another domain than its peers have is of another machine', () => {
  const own = ['node-01.a.example', 'node-02.a.example'];
  assert.deepEqual(keptOf(three, ...own, 'node-03.b.example'), own);
  assert.deepEqual(keptOf(three, ...own, 'Node-03.A.example'), [...own, 'Node-03.A.example']);
  assert.deepEqual(keptOf(three, ...own, 'node-03.a'), [...own, 'node-03.a']);
  assert.deepEqual(keptOf(three, ...own, 'node-03'), [...own, 'node-03']);
});

test("an alias, or how the job spells its node, tells that the domain is the job's", () => {
  const names = ['node-01.a.example', 'node-02.a.example', 'node-03.b.example'];
  assert.deepEqual(keptOf({ ...three, 'node-03': ['node-03.b.example'] }, ...names), names);
  const { 'node-03': _short, ...others } = three;
  assert.deepEqual(keptOf({ ...others, 'node-03.b.example': [] }, ...names), names);
});

test("of two domains alike in number neither is known to be the job's, of many none is missed", () => {
  const two = ['node-01.a.example', 'node-02.b.example'];
  assert.deepEqual(keptOf(three, ...two), []);
  assert.deepEqual(keptOf({ ...three, 'node-02': ['node-02.b.example'] }, ...two), ['node-02.b.example']);
  const racks = ['node-01.r1.example', 'node-02.r2.example', 'node-03.r3.example'];
  assert.deepEqual(keptOf(three, ...racks), racks);
});

test('a name that is known to be of another machine says nothing of the domain of the others', () => {
  const names = ['node-01.a.example', 'node-02', 'node-02.b.example'];
  assert.deepEqual(keptOf(three, ...names), names.slice(0, 2));
});
