import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDirectory } from './node-names.ts';
import { undoubtedNames } from './undoubted-names.ts';

const job = ['node-01', 'node-02', 'node-03', 'node-04'];

/** What a store calls them, joined to the nodes of a job that the scheduler names in short. */
function joined(...names: readonly string[]): Readonly<Record<string, string>> {
  const directory = nodeDirectory(job.map(name => ({ name, aliases: [] })));
  const found = names.flatMap(name => {
    const match = directory.resolve(name);
    return match.kind === 'one' ? [[name, match.node] as const] : [];
  });
  return Object.fromEntries(undoubtedNames(new Map(found), directory));
}

test('full names of one domain are the nodes that the scheduler names in short', () => {
  const full = job.map(name => `${name}.site.example`);
  assert.deepEqual(joined(...full), Object.fromEntries(full.map((name, at) => [name, job[at]])));
});

test('one node of which alone there is a full name is that node', () => {
  assert.deepEqual(joined('node-02.site.example'), { 'node-02.site.example': 'node-02' });
});

test('peers that are called by short names have no say in the domain of the others', () => {
  assert.deepEqual(joined('node-01', 'node-02', 'node-03', 'node-04.site.example'), {
    'node-01': 'node-01',
    'node-02': 'node-02',
    'node-03': 'node-03',
    'node-04.site.example': 'node-04',
  });
});

test('two domains that are alike in number stay open, as does one node with two', () => {
  assert.deepEqual(joined('node-01.a.example', 'node-02.b.example'), {});
  assert.deepEqual(
    joined('node-01.a.example', 'node-02.a.example', 'node-03.b.example', 'node-04.b.example'),
    {},
  );
  assert.deepEqual(joined('node-01.a.example', 'node-01.b.example'), {});
});

test('short names beside two domains leave these open, and are the nodes themselves', () => {
  assert.deepEqual(joined('node-01', 'node-02', 'node-03.a.example', 'node-04.b.example'), {
    'node-01': 'node-01',
    'node-02': 'node-02',
  });
});

test('a part of the domain is the same domain', () => {
  const names = ['node-01.rack1', 'node-02.rack1.site.example', 'node-03.rack1'];
  assert.deepEqual(Object.values(joined(...names)), ['node-01', 'node-02', 'node-03']);
});
