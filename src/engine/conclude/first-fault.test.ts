import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { symptom, xid } from '../../../tests/support/symptoms.ts';

const s2 = (node: string, at: number, rest = {}) =>
  symptom({ symptom: 'gpu-lost', node, at, origin: 'health', strength: 'S2', ...rest });
const s3 = (node: string, at: number, rest = {}) =>
  symptom({ symptom: 'link-down', node, at, strength: 'S3', ...rest });

test('S1 and S2 tell when it began, S3 only where there is neither', () => {
  assert.deepEqual(answer([s3('node-01', -90), s2('node-02', -30)]).targets, ['node-02']);
  assert.deepEqual(answer([s3('node-01', -90), s3('node-02', -30)]).targets, ['node-01']);
});

test('an S2 that certainly came before every S1 is named with those of its moment', () => {
  assert.deepEqual(answer([s2('node-01', -40), xid(79, 'node-02', -30)]).targets, ['node-01', 'node-02']);
  assert.deepEqual(answer([s2('node-01', -20), xid(79, 'node-02', -30)]).targets, ['node-02']);
});

test('a strong symptom long after the first is told, not named', () => {
  const result = answer([xid(79, 'node-01', -300), xid(48, 'node-02', -30)]);
  assert.deepEqual(result.targets, ['node-01']);
  assert.deepEqual(result.told, ['node-02']);
});

test('the moment is a setting', () => {
  const symptoms = [xid(79, 'node-01', -300), xid(48, 'node-02', -30)];
  assert.deepEqual(answer(symptoms, { settings: { sameMomentMs: 400_000 } }).targets, ['node-01', 'node-02']);
});

test('a named node keeps its weaker symptoms as evidence', () => {
  const [finding] = answer([xid(79, 'node-01', -30), s3('node-01', -29)]).findings;
  assert.deepEqual(
    finding?.evidence.map(({ message }) => message),
    ['xid-79 seen', 'link-down seen'],
  );
});
