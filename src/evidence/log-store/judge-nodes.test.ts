import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeNodes } from './judge-nodes.ts';
import type { Selection, Trouble } from './log-store.ts';

const selection: Selection = {
  origin: 'kernel',
  window: { from: 0n, to: 10n },
  nodes: null,
  cover: null,
  workloadId: '4711',
};
const failed: Trouble = { status: 'failed', reason: 'the server answered with status 500', tooMuch: null };
const lines = (byName: Record<string, number>, troubles: Record<string, Trouble> = {}) => ({
  byName: new Map(Object.entries(byName)),
  troubles: new Map(Object.entries(troubles)),
  textless: new Set<string>(),
  untold: null,
});
const result = (
  nodes: readonly string[] | null,
  seen: Record<string, number>,
  trouble: Trouble | null = null,
) => ({
  selection: { ...selection, nodes },
  handed: { trouble, linesByName: new Map(Object.entries(seen)), outside: 0, lost: new Map() },
});
const names = new Map([
  ['a', 'node-01'],
  ['a.example', 'node-01'],
  ['b', 'node-02'],
]);
const statuses = (verdicts: ReturnType<typeof judgeNodes>) =>
  Object.fromEntries([...verdicts].map(([node, { status }]) => [node, status]));

test('a node is complete by lines that were read, silent without any, absent where nobody knows it', () => {
  const verdicts = judgeNodes(['node-01', 'node-02', 'node-03'], names, lines({ a: 3 }), [
    result(null, { a: 3 }),
  ]);
  assert.deepEqual(statuses(verdicts), { 'node-01': 'complete', 'node-02': 'silent', 'node-03': 'absent' });
});

test('trouble of a query befalls the nodes it asked for, and of one without names all that have lines', () => {
  const counted = lines({ a: 3, b: 3 });
  const apart = judgeNodes(['node-01', 'node-02'], names, counted, [
    result(['a'], { a: 1 }, failed),
    result(['b'], { b: 3 }),
  ]);
  assert.deepEqual(statuses(apart), { 'node-01': 'failed', 'node-02': 'complete' });
  const shared = judgeNodes(['node-01', 'node-02'], names, lines({ a: 3 }), [result(null, { a: 1 }, failed)]);
  assert.deepEqual(statuses(shared), { 'node-01': 'failed', 'node-02': 'silent' });
});

test('what could not be counted is complete only by what was read', () => {
  const uncounted = lines({}, { a: failed, b: failed });
  const verdicts = judgeNodes(['node-01', 'node-02'], names, uncounted, [result(['a', 'b'], { a: 2 })]);
  assert.equal(verdicts.get('node-02')?.status, 'failed');
  assert.match(verdicts.get('node-02')?.reason ?? '', /status 500/);
});

test('lines that were counted and did not come are a gap', () => {
  const verdicts = judgeNodes(['node-01'], names, lines({ a: 3 }), [result(['a'], {})]);
  assert.equal(verdicts.get('node-01')?.status, 'truncated');
});

test('no node is ever complete without a line that was counted or read', () => {
  const trouble = fc.constantFrom(null, failed, { ...failed, status: 'timed_out' as const });
  const count = fc.record({ a: fc.nat(2), 'a.example': fc.nat(2), b: fc.nat(2) });
  fc.assert(
    fc.property(count, count, trouble, trouble, (counted, seen, first, second) => {
      const positive = Object.fromEntries(Object.entries(seen).filter(([, value]) => value > 0));
      const troubles = second === null ? {} : { a: second };
      const verdicts = judgeNodes(['node-01', 'node-02', 'node-03'], names, lines(counted, troubles), [
        result(null, positive, first),
      ]);
      for (const [node, { status, reason }] of verdicts) {
        const own = [...names]
          .filter(([, owner]) => owner === node)
          .map(([name]) => name as keyof typeof counted);
        const known = own.reduce((sum, name) => sum + counted[name] + seen[name], 0);
        if (status === 'complete') assert.ok(known > 0 && first === null);
        else assert.notEqual(reason, null);
      }
    }),
  );
});

test('a node of whose health checks a document was lost is truncated, and others are not', () => {
  const { handed, ...asked } = result(null, { a: 3, b: 3 });
  const lost = new Map([['a', ['a document was not read']]]);
  const verdicts = judgeNodes(['node-01', 'node-02'], names, lines({ a: 3, b: 3 }), [
    { ...asked, handed: { ...handed, lost } },
  ]);
  assert.deepEqual(verdicts.get('node-01'), { status: 'truncated', reason: 'a document was not read' });
  assert.equal(verdicts.get('node-02')?.status, 'complete');
});
