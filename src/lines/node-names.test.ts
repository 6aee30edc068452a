import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type NodeDirectory, nodeDirectory } from './node-names.ts';

function named(...names: string[]): NodeDirectory {
  return nodeDirectory(names.map(name => ({ name, aliases: [] })));
}

const one = (node: string) => ({ kind: 'one', node });

test('joins a name to itself, whatever else is alike', () => {
  const nodes = named('node-1', 'node-1.example.com', 'node-1_2');
  assert.deepEqual(nodes.resolve('node-1'), one('node-1'));
  assert.deepEqual(nodes.resolve('node-1.example.com'), one('node-1.example.com'));
});

test('joins short names and full ones in both directions', () => {
  assert.deepEqual(named('node-01.rack1.example.com').resolve('node-01'), one('node-01.rack1.example.com'));
  assert.deepEqual(
    named('node-01.rack1.example.com').resolve('node-01.rack1'),
    one('node-01.rack1.example.com'),
  );
  assert.deepEqual(named('node-01').resolve('node-01.rack1.example.com'), one('node-01'));
  assert.deepEqual(named('node-01').resolve('node-01.'), one('node-01'));
});

test('keeps two domains with one short name apart', () => {
  const nodes = named('node-01.a.example.com', 'node-01.b.example.com');
  assert.deepEqual(nodes.resolve('node-01'), {
    kind: 'ambiguous',
    candidates: ['node-01.a.example.com', 'node-01.b.example.com'],
  });
  assert.deepEqual(named('node-01.a.example.com').resolve('node-01.b.example.com'), { kind: 'none' });
});

test('a full name of another domain than the known ones is of another machine, whatever alias begins it', () => {
  const nodes = nodeDirectory([
    { name: 'node-01.a.example', aliases: ['node-01', '10.0.0.1'] },
    { name: 'node-02', aliases: ['node-02.a.example', 'NODE-02.ib.example'] },
    { name: 'node-03', aliases: ['10.0.0.3'] },
  ]);
  assert.deepEqual(nodes.resolve('node-01.b.example'), { kind: 'none' });
  assert.deepEqual(nodes.resolve('node-01.A.example'), one('node-01.a.example'));
  assert.deepEqual(nodes.resolve('node-01'), one('node-01.a.example'));
  assert.deepEqual(nodes.resolve('node-01.a'), one('node-01.a.example'));
  assert.deepEqual(nodes.resolve('node-02.b.example'), { kind: 'none' });
  assert.deepEqual(nodes.resolve('node-02.ib.example'), one('node-02'));
  assert.deepEqual(nodes.resolve('node-03.b.example'), one('node-03'));
});

test('does not take addresses for host names with a domain', () => {
  assert.deepEqual(named('10.0.0.1').resolve('10.0.0'), { kind: 'none' });
  assert.deepEqual(named('10').resolve('10.0.0.1'), { kind: 'none' });
  assert.deepEqual(named('10.0.0.1').resolve('10.0.0.1'), one('10.0.0.1'));
});

test('ignores case only where nothing is spelled exactly so', () => {
  const nodes = named('GPU-01', 'gpu-01', 'Gpu-02');
  assert.deepEqual(nodes.resolve('gpu-01'), one('gpu-01'));
  assert.deepEqual(nodes.resolve('GPU-01'), one('GPU-01'));
  assert.equal(nodes.resolve('Gpu-01').kind, 'ambiguous');
  assert.deepEqual(nodes.resolve('gpu-02.example.com'), one('Gpu-02'));
});

test('joins by alias after names, and never by an alias two nodes share', () => {
  const nodes = nodeDirectory([
    { name: 'node-01', aliases: ['10.0.0.1', 'bmc-01.example.com', 'login'] },
    { name: 'node-02', aliases: ['10.0.0.2', 'node-01.example.com', 'login'] },
  ]);
  assert.deepEqual(nodes.resolve('10.0.0.2'), one('node-02'));
  assert.deepEqual(nodes.resolve('bmc-01'), one('node-01'));
  assert.deepEqual(nodes.resolve('node-01.example.com'), one('node-01'));
  assert.deepEqual(nodes.resolve('login'), { kind: 'ambiguous', candidates: ['node-01', 'node-02'] });
});

test('lets a name stand for the name with digits the dialect cut off', () => {
  assert.deepEqual(named('rack_a_node_1', 'rack_b_node_1').resolve('rack_a_node'), one('rack_a_node_1'));
  assert.deepEqual(named('rack_a_1', 'rack_a_2').resolve('rack_a'), {
    kind: 'ambiguous',
    candidates: ['rack_a_1', 'rack_a_2'],
  });
  assert.deepEqual(named('rack_a').resolve('rack_a_1'), { kind: 'none' });
});

test('merges what several sources say of one node', () => {
  const nodes = nodeDirectory([
    { name: 'node-01', aliases: ['a'] },
    { name: 'node-01', aliases: ['a', 'b'] },
  ]);
  assert.deepEqual(nodes.names, ['node-01']);
  assert.deepEqual(nodes.resolve('a'), one('node-01'));
  assert.deepEqual(nodes.resolve('b'), one('node-01'));
});

test('joins nothing to an empty or unknown name', () => {
  assert.deepEqual(named('node-01', '').resolve(' '), { kind: 'none' });
  assert.deepEqual(named('node-01').resolve('node-010'), { kind: 'none' });
  assert.deepEqual(named().resolve('__proto__'), { kind: 'none' });
});

test('every name resolves to itself, and a match is always one of the names', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'B', 'b', '1', '.', '_', '-'),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(name), name, (names, raw) => {
      const nodes = named(...names);
      for (const known of nodes.names) {
        if (!known.endsWith('.')) assert.deepEqual(nodes.resolve(known), one(known));
      }
      const match = nodes.resolve(raw);
      if (match.kind === 'one') assert.ok(nodes.names.includes(match.node));
      if (match.kind === 'ambiguous') assert.ok(match.candidates.length > 1);
    }),
  );
});

test('names that differ in case alone stay apart as they are written, and are two where neither is written so', () => {
  const nodes = named('Node-01', 'node-01', 'NODE-02');
  assert.deepEqual(nodes.resolve('Node-01'), one('Node-01'));
  assert.deepEqual(nodes.resolve('node-01'), one('node-01'));
  assert.deepEqual(nodes.resolve('node-02'), one('NODE-02'));
  const { kind, candidates } = { candidates: [], ...nodes.resolve('NODE-01') };
  assert.deepEqual([kind, [...candidates].sort()], ['ambiguous', ['Node-01', 'node-01']]);
});
