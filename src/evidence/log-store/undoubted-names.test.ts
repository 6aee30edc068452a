import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoubtedNames } from './undoubted-names.ts';

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
