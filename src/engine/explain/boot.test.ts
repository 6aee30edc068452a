import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom, xid } from '../../../tests/support/symptoms.ts';
import { boot } from './boot.ts';

const started = (at: number) =>
  symptom({
    symptom: 'boot',
    node: 'node-01',
    at,
    ruleRole: 'boot',
    strength: 'S6',
    blames: 'nobody',
    category: 'node_lost',
  });
const role = (bootAt: number, at: number, rest = {}, jobStart: number | null = null) =>
  boot.run([started(bootAt), xid(62, 'node-01', at, rest)], reasoningContext({ jobStart }))[1]?.role;

test("after a start during the job, the node's own log tells of nothing that ended it", () => {
  assert.equal(role(-300, -100, {}, -800), 'context');
  assert.equal(role(-300, -400, {}, -800), 'unknown');
  assert.equal(role(-300, -100, { lasts: true }, -800), 'unknown');
  assert.equal(role(-300, -100, { origin: 'scheduler' }, -800), 'unknown');
});

test('while devices settle, only a strong kernel symptom counts', () => {
  assert.equal(role(-300, -250, { strength: 'S3' }), 'context');
  assert.equal(role(-300, -250, { strength: 'S2', origin: 'health' }), 'context');
  assert.equal(role(-300, -250), 'unknown');
  assert.equal(role(-300, -100, { strength: 'S3' }), 'unknown');
});

test('other nodes are not concerned', () => {
  const [, other] = boot.run([started(-300), xid(74, 'node-02', -250, { strength: 'S3' })], reasoningContext());
  assert.equal(other?.role, 'unknown');
});

test('a port that comes up is no start of its node', () => {
  const port = { ...started(-300), category: 'network_fabric' as const };
  const [, after] = boot.run([port, xid(74, 'node-01', -250, { strength: 'S3' })], reasoningContext());
  assert.equal(after?.role, 'unknown');
});
