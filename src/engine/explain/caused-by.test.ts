import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, xid } from '../../../tests/support/symptoms.ts';
import { causedBy } from './caused-by.ts';

const pointing = (node: string, to: string, rest = {}) =>
  xid(45, node, -9, { captures: { caused_by: to }, ...rest });
const first = (symptoms: Parameters<typeof causedBy.run>[0]) => causedBy.run(symptoms, reasoningContext())[0];

test('a pointer is followed to the error of the same node, and of the same device if there is one', () => {
  const other = xid(149, 'node-01', -10, { device: '0000:1b:00' });
  const same = xid(149, 'node-01', -9.5);
  const followed = first([pointing('node-01', '149'), other, same, xid(149, 'node-02', -20)]);
  assert.equal(followed?.role, 'cascade');
  assert.equal(followed?.reason?.cause, same.id);
  assert.equal(first([pointing('node-01', '149'), other])?.reason?.cause, other.id);
});

test('a pointer to what was not read still convicts nobody', () => {
  const dangling = first([pointing('node-01', 'xid-149'), xid(149, 'node-02', -10)]);
  assert.equal(dangling?.role, 'cascade');
  assert.equal(dangling?.reason?.cause, null);
});

test('an error that points to itself is left to others', () => {
  assert.equal(first([pointing('node-01', '45')])?.reason, null);
});
