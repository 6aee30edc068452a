import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symptom } from '../../tests/support/symptoms.ts';
import type { ReadResponse } from '../contract/index.ts';
import type { Symptom } from '../core/symptom.ts';
import { compareExpected } from './compare-expected.ts';
import type { Expected } from './read-case-files.ts';

const nobody: ReadResponse = {
  serviceId: 'attribution-adapter',
  serviceVersion: '0.0.0',
  requestId: 'request',
  attributionSessionId: null,
  attributions: [],
  unattributedTargets: [],
  error: null,
};
const expected: Expected = {
  targets: [],
  categories: [],
  error: null,
  mustNotName: [],
  consequences: [{ symptom: 'clean-up', node: 'node-02', of: ['crash'] }],
};
const crash = symptom({ symptom: 'crash', node: 'node-01' });

function cleanUp(node: string, cause: string | null): Symptom {
  const reason = { kind: 'inhibition' as const, pass: 'inhibit', text: 'follows', cause };
  return { ...symptom({ symptom: 'clean-up', node }), role: cause === null ? 'unknown' : 'cascade', reason };
}

test('a consequence told to follow from its cause is as expected', () => {
  assert.deepEqual(compareExpected(nobody, expected, [crash, cleanUp('node-02', crash.id)]), []);
});

test('a consequence that stands for itself, or follows from something else, differs', () => {
  const told = ['clean-up on node-02 is not told as a consequence of crash'];
  const other = symptom({ symptom: 'other', node: 'node-01' });
  assert.deepEqual(compareExpected(nobody, expected, [crash, cleanUp('node-02', null)]), told);
  assert.deepEqual(compareExpected(nobody, expected, [crash, other, cleanUp('node-02', other.id)]), told);
});

test('elsewhere, or without its cause, nothing is expected of it', () => {
  assert.deepEqual(compareExpected(nobody, expected, [crash, cleanUp('node-03', null)]), []);
  assert.deepEqual(compareExpected(nobody, expected, [cleanUp('node-02', null)]), []);
});

test('without the explained symptoms only the answer is compared', () => {
  assert.deepEqual(compareExpected(nobody, { ...expected, error: 'timeout' }), ['error is null, not timeout']);
});
