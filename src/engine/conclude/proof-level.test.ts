import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { coverage, type SymptomSpec, symptom } from '../../../tests/support/symptoms.ts';
import type { ProofLevel } from './proof-level.ts';
import { reliability } from './reliability.ts';

/** The level that the finding about node-03 carries; null for none. */
function levelOf(...specs: readonly SymptomSpec[]): string | null {
  const { findings } = answer(specs.map(symptom), { coverage: [coverage('kernel', 'node-[01-02]')] });
  const found = findings.find(({ target }) => target.type === 'Node' && target.node === 'node-03');
  assert.ok(found !== undefined, 'node-03 is named');
  const level = Object.entries(reliability).find(([, { confidence }]) => confidence === found.confidence);
  return level?.[0] ?? null;
}

const lost = { symptom: 'gpu-lost', node: 'node-03', at: -60 } as const;
const port = {
  symptom: 'link-down',
  node: 'node-03',
  at: -60,
  strength: 'S3',
  category: 'network_fabric',
} as const;
const gauge = {
  symptom: 'gauge',
  node: 'node-03',
  at: -30,
  origin: 'exporter',
  ruleRole: 'confirmation',
  strength: 'S3',
} as const;

test('what only broken hardware shows is decisive, and more so where another source agrees', () => {
  assert.equal(levelOf(lost), 'decisive' satisfies ProofLevel);
  assert.equal(levelOf(lost, gauge), 'decisive-confirmed' satisfies ProofLevel);
});

test('a link or a device is local proof', () => {
  assert.equal(levelOf(port), 'local' satisfies ProofLevel);
  assert.equal(levelOf(port, gauge), 'local-confirmed' satisfies ProofLevel);
});

test('what another node shows, and what is only suffered, confirms nothing', () => {
  assert.equal(levelOf(lost, { ...gauge, node: 'node-02' }), 'decisive');
  const victim = {
    symptom: 'broken-pipe',
    node: 'node-03',
    origin: 'job',
    ruleRole: 'victim',
    strength: 'S5',
  } as const;
  assert.equal(levelOf(lost, victim), 'decisive');
});

test('what the program prints about the node confirms nothing', () => {
  const told = {
    symptom: 'error-told',
    node: 'node-03',
    at: -40,
    origin: 'job',
    strength: 'S4',
    category: 'accelerator_memory',
  } as const;
  const explaining = {
    ...lost,
    inhibits: [{ scope: 'node', withinSeconds: 600, symptoms: ['error-told'] }],
  } as const;
  assert.equal(levelOf(explaining, told), 'decisive');
  assert.equal(levelOf(explaining, { ...told, ruleRole: 'confirmation' }), 'decisive');
  assert.equal(levelOf(explaining, told, gauge), 'decisive-confirmed');
});

test('a second line of the same source confirms nothing', () => {
  assert.equal(levelOf(port, { ...gauge, origin: 'kernel' }), 'local');
});

test('exporters and health checks are reports, however decisive', () => {
  assert.equal(levelOf({ ...lost, origin: 'exporter' }), 'reported');
  assert.equal(levelOf({ ...lost, origin: 'health', strength: 'S2' }), 'reported');
});

test("the job's own text has a level of its own", () => {
  assert.equal(levelOf({ ...lost, origin: 'job', strength: 'S2', category: 'accelerator_memory' }), 'job-text');
});

test('nodes that are named together carry no confidence', () => {
  assert.equal(levelOf(lost, { ...lost, node: 'node-02', at: -60.2 }), null);
});
