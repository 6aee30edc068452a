import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answer } from '../../../tests/support/reasoning.ts';
import {
  type ContextSpec,
  coverage,
  nodesNamed,
  placement,
  progress,
  symptom,
  traceback,
  watchdog,
  xid,
} from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';

const nodes = nodesNamed(4);

test('without a finding and without anything local to nodes, there was too little telemetry', () => {
  const problem = (spec: ContextSpec) => answer([watchdog(0, -4)], spec).problem;
  assert.equal(problem({ coverage: [] })?.type, 'insufficient_telemetry');
  assert.match(problem({ coverage: [] })?.message ?? '', /no source/);
  assert.equal(problem({ coverage: [coverage('job', '')] })?.type, 'insufficient_telemetry');
  assert.equal(
    problem({ coverage: [coverage('kernel', 'node-01', 'silent')] })?.type,
    'insufficient_telemetry',
  );
  assert.equal(problem({ coverage: [coverage('scheduler', '')] })?.type, 'insufficient_telemetry');
  for (const origin of ['kernel', 'scheduler', 'exporter', 'health'] as const) {
    assert.equal(problem({ coverage: [coverage(origin, 'node-01')] }), null, origin);
  }
});

test('where only its node is unknown, too little telemetry says what was seen and how to tell the node', () => {
  const problem = (shown: Symptom) => answer([shown], { coverage: [coverage('kernel', '')] }).problem;
  const homeless = { ...xid(79, 'node-01', -4), node: null };
  assert.match(problem(homeless)?.message ?? '', /kernel log shows "xid-79" \(xid-79\).* NODE\.log.*--nodes/);
  const checked = { ...homeless, origin: 'health' as const, code: null };
  assert.match(problem(checked)?.message ?? '', /^what was read shows "xid-79", and nothing tells/);
  assert.match(problem(watchdog(0, -4))?.message ?? '', /^nothing local to nodes/);
});

test('nothing seen is no finding and no problem', () => {
  const result = answer([]);
  assert.deepEqual([result.findings, result.unattributed, result.problem], [[], [], null]);
});

test('nodes told but not named have a limit', () => {
  const many = nodesNamed(100);
  const late = many.map(node => xid(62, node, -2));
  const result = answer([watchdog(0, -4), ...late], { nodes: many, settings: { maxUnattributed: 10 } });
  assert.deepEqual(result.targets, []);
  assert.deepEqual(result.told, many.slice(0, 10));
});

/** Symptoms as failures bring them, on a few nodes and close in time, so that rules meet. */
const node = fc.constantFrom(...nodes);
const at = fc.integer({ min: -700, max: 30 });
const one: fc.Arbitrary<Symptom> = fc.oneof(
  fc.tuple(fc.constantFrom(79, 48, 119), node, at).map(([code, where, when]) =>
    xid(code, where, when, {
      inhibits: [{ symptoms: ['xid-45', 'xid-119', 'link-down'], scope: 'job', withinSeconds: 300 }],
    }),
  ),
  fc
    .tuple(node, at)
    .map(([where, when]) => xid(45, where, when, { strength: 'S6', ruleRole: 'victim', blames: 'nobody' })),
  fc
    .tuple(node, at)
    .map(([where, when]) =>
      symptom({ symptom: 'link-down', node: where, at: when, strength: 'S3', category: 'network_fabric' }),
    ),
  fc.tuple(fc.nat(3), at).map(([rank, when]) => watchdog(rank, when)),
  fc.tuple(fc.nat(3), node).map(([rank, where]) => placement(rank, where)),
  at.map(when => traceback(when)),
  fc.tuple(at, at).map(([a, b]) => progress(Math.min(a, b), Math.max(a, b))),
);
const scene = fc.uniqueArray(one, { maxLength: 12, selector: ({ id }) => id });

test('the order in which symptoms arrive changes nothing', () => {
  fc.assert(
    fc.property(
      scene.chain(symptoms =>
        fc.tuple(fc.constant(symptoms), fc.shuffledSubarray(symptoms, { minLength: symptoms.length })),
      ),
      ([symptoms, shuffled]) => assert.deepEqual(answer(shuffled), answer(symptoms)),
    ),
  );
});

test('what is named has evidence of its own, and every symptom leaves with a role and a reason', () => {
  fc.assert(
    fc.property(scene, symptoms => {
      const { findings, symptoms: settled, unattributed } = answer(symptoms);
      for (const { target, evidence } of findings) {
        const cited = evidence.filter(({ reference }) => reference !== null);
        assert.ok(cited.length > 0);
        if (target.type === 'Node') assert.ok(cited.every(item => item.node === target.node));
        assert.ok(
          !unattributed.some(
            other => other.type === 'Node' && target.type === 'Node' && other.node === target.node,
          ),
        );
      }
      assert.ok(settled.every(({ reason }) => reason !== null && reason.text !== ''));
      const byId = new Map(settled.map(entry => [entry.id, entry]));
      for (const { id, reason } of settled)
        assert.ok(reason?.cause !== id && (reason?.cause == null || byId.has(reason.cause)));
    }),
  );
});

test('names of nodes decide nothing', () => {
  const renamed: Readonly<Record<string, string>> = {
    'node-01': 'zeta',
    'node-02': 'gpu-7',
    'node-03': 'alpha',
    'node-04': 'b-1',
  };
  const rename = (entry: Symptom): Symptom => ({
    ...entry,
    node: entry.node === null ? null : (renamed[entry.node] ?? null),
    observations: entry.observations.map(seen => ({
      ...seen,
      node: seen.node === null ? null : (renamed[seen.node] ?? null),
    })),
  });
  fc.assert(
    fc.property(scene, symptoms => {
      const before = answer(symptoms).targets.map(target => renamed[target] ?? target);
      assert.deepEqual(answer(symptoms.map(rename), { nodes: Object.values(renamed) }).targets, before);
    }),
  );
});

test('victims added to a failure accuse no further node', () => {
  fc.assert(
    fc.property(scene, fc.nat(3), at, (symptoms, rank, when) => {
      const before = new Set(answer(symptoms).targets);
      const cleaned = xid(45, `node-0${rank + 1}`, when, {
        strength: 'S6',
        ruleRole: 'victim',
        blames: 'nobody',
        line: 999,
      });
      for (const target of answer([...symptoms, cleaned]).targets) assert.ok(before.has(target));
    }),
  );
});

test('twenty thousand victims do not hide the one root', () => {
  const many = nodesNamed(99);
  const victims = Array.from({ length: 20_000 }, (_, rank) =>
    symptom({
      symptom: 'connection-closed',
      node: `node-${String((rank % 99) + 1).padStart(2, '0')}`,
      rank,
      at: -5 + rank / 10_000,
      origin: 'job',
      strength: 'S5',
      ruleRole: 'victim',
      blames: 'nobody',
    }),
  );
  const root = xid(79, 'node-42', -6, {
    inhibits: [{ symptoms: ['connection-closed'], scope: 'job', withinSeconds: 60 }],
  });
  const result = answer([...victims, root], { nodes: many });
  assert.deepEqual(result.targets, ['node-42']);
  assert.ok(result.findings[0]?.evidence.some(({ message }) => message.startsWith('20000 lines on 99 nodes')));
});
