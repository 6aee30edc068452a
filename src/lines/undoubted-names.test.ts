import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesApart, undoubtedNames } from './undoubted-names.ts';

const kept = (...names: readonly string[]): readonly string[] => [
  ...undoubtedNames(new Map(names.map(name => [name, 'node-01']))).keys(),
];

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
  assert.deepEqual([...undoubtedNames(names).keys()], ['node-01.a', 'node-01']);
});
