import assert from 'node:assert/strict';
import { test } from 'node:test';
import { naiveEngines } from '../../bench/evaluation/naive.ts';
import { oneOf1024 } from '../../bench/incidents/special.ts';

const some = oneOf1024('naive');

/** What each naive engine names when these lines are all there is, in this order. */
function namedBy(lines: readonly (readonly [node: string | null, text: string])[]): readonly string[][] {
  const incident = { ...some, lines: lines.map(([node, text], at) => ({ at, node, text })) };
  return naiveEngines.map(engine => engine.answer(incident).named.map(({ node }) => node));
}

test('one names the node of the first alarming line, one that of most, one all with a listed Xid', () => {
  const lines = [
    [null, 'srun: error: nobody in particular'],
    ['a', 'device eth0 entered promiscuous mode'],
    ['b', 'Connection reset by peer: error'],
    ['c', 'NVRM: Xid (PCI:0000:1b:00): 45, pid=1, Ch 1'],
    ['c', 'NVRM: Xid (PCI:0000:1b:00): 79, GPU has fallen off the bus.'],
    ['d', 'NVRM: Xid (PCI:0000:1b:00): 13, Graphics Exception'],
  ] as const;
  assert.deepEqual(namedBy(lines), [['b'], ['c', 'd'], ['c']]);
});

test('none names a node where nothing alarms', () => {
  assert.deepEqual(namedBy([['a', 'all is well']]), [[], [], []]);
});
