import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom, xid } from '../../../tests/support/symptoms.ts';
import { maintenance } from './maintenance.ts';

const planned = (at: number | null, rest = {}) =>
  symptom({
    symptom: 'shutdown',
    node: 'node-01',
    at,
    ruleRole: 'maintenance',
    strength: 'S6',
    blames: 'nobody',
    ...rest,
  });
const lost = (node: string, at: number | null) =>
  symptom({ symptom: 'node-lost', node, at, origin: 'scheduler', category: 'node_lost' });
const second = (symptoms: Parameters<typeof maintenance.run>[0]) =>
  maintenance.run(symptoms, reasoningContext())[1]?.role;

test('the loss of the node is excused, of other nodes not', () => {
  assert.equal(second([planned(-60), lost('node-01', -20)]), 'context');
  assert.equal(second([planned(-60), lost('node-02', -20)]), 'unknown');
});

test('a loss that certainly came first is not excused, one of unknown order is', () => {
  assert.equal(second([planned(-60), lost('node-01', -90)]), 'unknown');
  assert.equal(second([planned(null), lost('node-01', -90)]), 'context');
});

test('other faults are excused only once maintenance has certainly begun', () => {
  assert.equal(second([planned(-60), xid(79, 'node-01', -50)]), 'context');
  assert.equal(second([planned(-60), xid(79, 'node-01', -70)]), 'unknown');
  assert.equal(second([planned(null, { clock: 'other' }), xid(79, 'node-01', -70)]), 'unknown');
});

test('an excuse ends with its reach unless the maintenance lasts', () => {
  assert.equal(second([planned(-4000), lost('node-01', -20)]), 'unknown');
  assert.equal(second([planned(-4000, { lasts: true }), lost('node-01', -20)]), 'context');
});

test('a job that began after the maintenance had its node back', () => {
  const run = (at: number, faultAt: number) =>
    maintenance.run([planned(at), xid(79, 'node-01', faultAt)], reasoningContext({ jobStart: -600 }))[1]?.role;
  assert.equal(run(-900, -60), 'unknown');
  assert.equal(run(-900, -700), 'context', 'before the job');
  assert.equal(run(-300, -60), 'context', 'planned while the job ran');
});

test('a machine that shuts itself down for a fault had planned nothing', () => {
  const inhibits = [{ symptoms: ['shutdown'], scope: 'node', withinSeconds: 1800 }] as const;
  const hot = (node: string, at: number) => symptom({ symptom: 'hot', node, at, strength: 'S3', inhibits });
  const rolesFor = (fault: ReturnType<typeof hot>) =>
    maintenance.run([planned(-60), lost('node-01', -20), fault], reasoningContext()).map(({ role }) => role);
  assert.deepEqual(rolesFor(hot('node-01', -62)), ['cascade', 'unknown', 'unknown']);
  assert.deepEqual(rolesFor(hot('node-02', -62)), ['unknown', 'context', 'unknown']);
  assert.deepEqual(rolesFor(hot('node-01', -30)), ['unknown', 'context', 'context'], 'after it had begun');
});

test('no program is excused by its node', () => {
  const own = symptom({ symptom: 'traceback', node: 'node-01', at: -20, origin: 'job', blames: 'job' });
  assert.equal(second([planned(-60), own]), 'unknown');
});

test("a scheduler's line may list nodes", () => {
  const listed = (origin: 'scheduler' | 'job') =>
    planned(-60, { node: null, origin, captures: { nodes: 'node-[01-02]' } });
  assert.equal(second([listed('scheduler'), lost('node-02', -20)]), 'context');
  assert.equal(second([listed('scheduler'), lost('node-03', -20)]), 'unknown');
  assert.equal(second([listed('job'), lost('node-02', -20)]), 'unknown');
});
