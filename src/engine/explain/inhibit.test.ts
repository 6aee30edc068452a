import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom, xid } from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';
import { inhibit } from './inhibit.ts';

type Scope = 'device' | 'node' | 'domain' | 'job';
const explains = (scope: Scope, ...symptoms: string[]) => ({
  inhibits: [{ symptoms, scope, withinSeconds: 60 }],
});
const run = (symptoms: readonly Symptom[]) => inhibit.run(symptoms, reasoningContext());
const causes = (symptoms: readonly Symptom[]) => run(symptoms).map(({ reason }) => reason?.cause ?? null);

test('a symptom follows from another of its device, node or job', () => {
  const root = (scope: Scope) => xid(48, 'node-01', -10, explains(scope, 'xid-94'));
  const same = xid(94, 'node-01', -9);
  const otherDevice = xid(94, 'node-01', -9, { device: '0000:1b:00' });
  const otherNode = xid(94, 'node-02', -9);
  const reached = (scope: Scope) =>
    run([root(scope), same, otherDevice, otherNode]).map(({ role }) => role === 'cascade');
  assert.deepEqual(reached('device'), [false, true, false, false]);
  assert.deepEqual(reached('node'), [false, true, true, false]);
  assert.deepEqual(reached('domain'), [false, true, true, true]);
  assert.deepEqual(reached('job'), [false, true, true, true]);
});

test('names are symptoms or codes', () => {
  const named = { ...xid(94, 'node-01', -9), symptom: 'gpu-contained-ecc' };
  for (const name of ['xid-94', 'gpu-contained-ecc']) {
    assert.equal(run([xid(48, 'node-01', -10, explains('device', name)), named])[1]?.role, 'cascade');
  }
});

test('a fault that training went on after, or that was over, explains nothing', () => {
  const root = xid(48, 'node-01', -100, explains('node', 'xid-94'));
  for (const pass of ['survived', 'recovered', 'outside-window']) {
    const excused = {
      ...root,
      role: 'context' as const,
      reason: { kind: 'guard' as const, pass, text: '', cause: null },
    };
    assert.equal(run([excused, xid(94, 'node-01', -90)])[1]?.role, 'unknown', pass);
  }
  const reboot = {
    ...root,
    role: 'context' as const,
    reason: { kind: 'rule' as const, pass: 'set-aside', text: '', cause: null },
  };
  assert.equal(run([reboot, xid(94, 'node-01', -90)])[1]?.role, 'cascade');
});

test('no source explains away what a more trusted one convicts', () => {
  const role = (origin: 'job' | 'exporter' | 'health' | 'scheduler', strength: 'S1' | 'S6' = 'S1') =>
    run([
      xid(48, 'node-01', -100, { ...explains('node', 'xid-94'), origin }),
      xid(94, 'node-01', -90, { strength }),
    ])[1]?.role;
  for (const origin of ['job', 'exporter', 'health'] as const) assert.equal(role(origin), 'unknown', origin);
  assert.equal(role('scheduler'), 'cascade');
  assert.equal(role('exporter', 'S6'), 'cascade');
});

test('time: not before the cause, not after its reach, and unknown order counts', () => {
  const root = xid(48, 'node-01', -100, explains('node', 'xid-94'));
  const role = (at: number | null, rest = {}) => run([root, xid(94, 'node-01', at, rest)])[1]?.role;
  assert.equal(role(-101), 'unknown');
  assert.equal(role(-50), 'cascade');
  assert.equal(role(-30), 'unknown');
  assert.equal(role(null, { clock: 'elsewhere' }), 'cascade');
  assert.equal(role(-110, { clock: 'skewed', plusMinusMs: 20_000 }), 'cascade');
});

test('a cause that went on reaches from its last sighting', () => {
  const root = xid(48, 'node-01', -200, { until: -100, ...explains('node', 'xid-94') });
  assert.equal(run([root, xid(94, 'node-01', -60)])[1]?.role, 'cascade');
});

test('across nodes a weaker symptom explains a stronger one only if it certainly came first', () => {
  const weak = (at: number, rest = {}) =>
    symptom({
      symptom: 'link-error',
      node: 'node-02',
      at,
      strength: 'S4',
      ...explains('job', 'xid-79'),
      ...rest,
    });
  const strong = xid(79, 'node-01', -10);
  assert.deepEqual(causes([weak(-5), strong]), [null, null]);
  assert.deepEqual(causes([weak(-10, { plusMinusMs: 5000 }), strong]), [null, null]);
  assert.deepEqual(causes([weak(-20), strong]), [null, weak(-20).id]);
});

test("the job's own text explains nothing away that convicts a node", () => {
  const text = symptom({
    symptom: 'oops',
    node: 'node-01',
    at: -20,
    origin: 'job',
    ...explains('node', 'xid-79', 'xid-13'),
  });
  const symptoms = run([text, xid(79, 'node-01', -10), xid(13, 'node-01', -10, { strength: 'S4' })]);
  assert.deepEqual(
    symptoms.map(({ role }) => role),
    ['unknown', 'unknown', 'cascade'],
  );
});

test('of two that explain each other the first stays, else the stronger', () => {
  const a = (rest = {}) => xid(79, 'node-01', -10, { ...explains('node', 'xid-119'), ...rest });
  const b = (at: number, rest = {}) =>
    xid(119, 'node-01', at, { strength: 'S3', ...explains('node', 'xid-79'), ...rest });
  assert.deepEqual(causes([a(), b(-5)]), [null, a().id]);
  assert.deepEqual(causes([a(), b(-15)]), [b(-15).id, null]);
  const unsure = { clock: 'elsewhere', plusMinusMs: 60_000 };
  assert.deepEqual(causes([a(), b(-15, unsure)]), [null, a().id]);
});

test('a circle of three keeps one of them unexplained', () => {
  const ring = [
    xid(1, 'node-01', null, { line: 1, clock: 'a', ...explains('node', 'xid-2') }),
    xid(2, 'node-01', null, { line: 1, clock: 'b', ...explains('node', 'xid-3') }),
    xid(3, 'node-01', null, { line: 1, clock: 'c', ...explains('node', 'xid-1') }),
  ];
  assert.equal(causes(ring).filter(cause => cause === null).length, 1);
});

test('chains are followed step by step', () => {
  const aer = symptom({ symptom: 'aer-fatal', node: 'node-01', at: -12, ...explains('node', 'xid-79') });
  const bus = xid(79, 'node-01', -11, explains('job', 'xid-45'));
  const kill = xid(45, 'node-02', -10, { strength: 'S6', ruleRole: 'victim' });
  assert.deepEqual(causes([aer, bus, kill]), [null, aer.id, bus.id]);
});

test('teardown explains nothing', () => {
  const root = { ...xid(48, 'node-01', -10, explains('node', 'xid-94')), role: 'teardown' as const };
  assert.equal(run([root, xid(94, 'node-01', -9)])[1]?.role, 'unknown');
});

test('twenty thousand symptoms that all explain each other are soon settled', () => {
  const many = Array.from({ length: 20_000 }, (_, at) =>
    xid(74, `node-${at % 2000}`, -100 + at / 1000, { device: at, ...explains('job', 'xid-74') }),
  );
  const roots = run(many).filter(({ role }) => role === 'unknown');
  assert.equal(roots.length, 1);
  assert.equal(roots[0]?.first.nanos, many[0]?.first.nanos);
});

test('a fault that its own clock tells late still explains what its node showed of it by another', () => {
  const late = xid(48, 'node-01', 200, explains('job', 'own-ecc'));
  const told = (node: string) => symptom({ symptom: 'own-ecc', node, at: -20, origin: 'job', strength: 'S2' });
  assert.equal(run([late, told('node-01')])[1]?.role, 'cascade');
  assert.equal(run([late, told('node-02')])[1]?.role, 'unknown');
});
