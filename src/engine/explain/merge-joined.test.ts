import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom, xid } from '../../../tests/support/symptoms.ts';
import { joinNodes } from './join-nodes.ts';
import { mergeJoined } from './merge-joined.ts';

const context = reasoningContext();
const run = (symptoms: Parameters<typeof mergeJoined.run>[0]) =>
  mergeJoined.run(joinNodes.run(symptoms, context), context);

test('two spellings of one node are one symptom, from the first sighting to the last', () => {
  const short = xid(79, 'node-01', -20, { count: 2 });
  const long = xid(79, 'node-01.train.example', -30, { count: 3 });
  const merged = run([short, long]);
  assert.equal(merged.length, 1);
  assert.equal(merged[0]?.count, 5);
  assert.equal(merged[0]?.first.nanos, long.first.nanos);
  assert.equal(merged[0]?.last.nanos, short.last.nanos);
  assert.deepEqual(
    merged[0]?.observations.map(seen => seen.instant.nanos),
    [long.first.nanos, short.first.nanos],
  );
});

test('one symptom read twice counts once', () => {
  const merged = run([xid(79, 'node-01', -20, { count: 4 }), xid(79, 'node-01', -20, { count: 6 })]);
  assert.equal(merged.length, 1);
  assert.equal(merged[0]?.count, 6);
  assert.equal(merged[0]?.observations.length, 1);
});

test('devices, codes, ranks and origins stay apart, and what has no node too', () => {
  const apart = [
    xid(79, 'node-01', -20, { device: '0000:1b:00' }),
    xid(79, 'node-01', -20, { device: '0000:b3:00' }),
    xid(48, 'node-01', -20),
    xid(79, 'node-01', -20, { origin: 'exporter' }),
    symptom({ symptom: 'x', node: 'node-01', rank: 1 }),
    symptom({ symptom: 'x', node: 'node-01', rank: 2 }),
    symptom({ symptom: 'x', stream: 'a' }),
    symptom({ symptom: 'x', stream: 'b' }),
  ];
  assert.equal(run(apart).length, apart.length);
});
