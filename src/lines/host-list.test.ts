import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compressHostList, expandHostList } from './host-list.ts';

function expanded(text: string, limit = 10_000): readonly string[] {
  const result = expandHostList(text, limit);
  assert.ok(result.ok, result.ok ? '' : result.message);
  return result.names;
}

function refusal(text: string, limit = 10_000): string {
  const result = expandHostList(text, limit);
  assert.ok(!result.ok, `${text} was accepted`);
  return result.message;
}

test('expands ranges, lists, padding and several brackets', () => {
  assert.deepEqual(expanded('node-[01-03,7],login'), ['node-01', 'node-02', 'node-03', 'node-7', 'login']);
  assert.deepEqual(expanded('r[1-2]n[09-10].ib'), ['r1n09.ib', 'r1n10.ib', 'r2n09.ib', 'r2n10.ib']);
  assert.deepEqual(expanded('n[8-11]'), ['n8', 'n9', 'n10', 'n11']);
  assert.deepEqual(expanded('n[098-101]'), ['n098', 'n099', 'n100', 'n101']);
  assert.deepEqual(expanded(' a , b,a,, '), ['a', 'b']);
  assert.deepEqual(expanded(''), []);
});

test('says what is wrong with a broken list', () => {
  assert.match(refusal('n[1-3'), /ends inside a bracket/);
  assert.match(refusal('n1-3]'), /unexpected '\]' at offset 4/);
  assert.match(refusal('n[1-[2]]'), /unexpected '\['/);
  assert.match(refusal('n[3-1]'), /'3-1' runs backwards/);
  assert.match(refusal('n[a-c]'), /'a-c' is neither a number nor a range/);
  assert.match(refusal('n[]'), /neither/);
  assert.match(refusal('node 1,node2'), /white space/);
});

test('counts before it expands, so that a few bytes cannot fill memory', () => {
  assert.match(refusal('n[0-999999999]'), /1000000000 names, more than the limit of 10000/);
  assert.match(refusal('n[0-99999][0-99999][0-99999][0-99999]'), /more than the limit/);
  assert.match(refusal('n[1-3]', 2), /3 names/);
});

test('compresses to the usual form', () => {
  assert.equal(
    compressHostList(['node-03', 'node-01', 'node-02', 'node-07', 'login']),
    'login,node-[01-03,07]',
  );
  assert.equal(compressHostList(['n8', 'n9', 'n10', 'n11']), 'n[8-11]');
  assert.equal(compressHostList(['node-01.c1.example', 'node-02.c1.example']), 'node-[01-02].c1.example');
  assert.equal(compressHostList(['r1n1', 'r1n2', 'r2n1', 'r2n2', 'r3n1']), 'r3n1,r[1-2]n[1-2]');
  assert.equal(compressHostList(['a', 'a']), 'a');
  assert.equal(compressHostList([]), '');
});

test('stays one list of hosts whatever the names hold', () => {
  assert.equal(compressHostList(['a[1]', 'b,c', 'd e']), 'a?1?,b?c,d?e');
});

const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '0', '1', '2', '9'), minLength: 1, maxLength: 10 }),
  fc.nat(120).map(number => `node-${String(number).padStart(3, '0')}`),
  fc.tuple(fc.nat(12), fc.nat(12)).map(([rack, slot]) => `rack${rack}n${slot}`),
  fc.stringMatching(/^\d{1,20}$/),
);

test('expanding a compressed list gives the names back', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 80 }), names => {
      assert.deepEqual(expanded(compressHostList(names)).toSorted(), [...new Set(names)].sort());
    }),
    { numRuns: 500 },
  );
});

test('the order of the names does not matter', () => {
  const shuffled = fc
    .uniqueArray(name, { minLength: 1 })
    .chain(names => fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })));
  fc.assert(
    fc.property(shuffled, ([names, others]) => {
      assert.equal(compressHostList(others), compressHostList(names));
    }),
  );
});

test('never throws on random text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '1', '[', ']', '-', ',', ' ') }), text => {
      const result = expandHostList(text, 1_000);
      if (result.ok) assert.ok(result.names.length <= 1_000);
    }),
  );
});
