import assert from 'node:assert/strict';
import { test } from 'node:test';
import { episodeOf, historyRow } from '../../../tests/support/history-store-suite.ts';
import {
  reasoningContext,
  secondsFromFailure,
  symptom,
  traceback,
  xid,
} from '../../../tests/support/symptoms.ts';
import type { HistoryRow } from '../../core/history.ts';
import type { Symptom } from '../../core/symptom.ts';
import { explain } from '../explain/explain.ts';
import { conclude } from './conclude.ts';

const pageFault = (node: string, at: number, change: Partial<Symptom> = {}): Symptom => ({
  ...xid(31, node, at, { strength: 'S4', blames: 'job', category: 'application_error' }),
  rule: 'gpu/xid',
  ...change,
});

function row(workflow: string, change: Partial<HistoryRow> = {}): HistoryRow {
  return historyRow(episodeOf(workflow), { at: secondsFromFailure(-86_400), ...change });
}

function concluded(symptoms: readonly Symptom[], history: readonly HistoryRow[]) {
  const context = { ...reasoningContext(), history };
  return conclude(explain(symptoms, context).symptoms, context);
}

function targets(symptoms: readonly Symptom[], history: readonly HistoryRow[]): readonly string[] {
  return concluded(symptoms, history).findings.map(({ target }) =>
    target.type === 'Node' ? target.node : 'job',
  );
}

const fault = [pageFault('node-01', -60)];
const own = reasoningContext().request.workloadContext.workflowId;

test('an ambiguous error names its node where two other workflows saw such errors on the device', () => {
  assert.deepEqual(targets(fault, []), ['job']);
  assert.deepEqual(targets(fault, [row('a')]), ['job']);
  const { findings } = concluded(fault, [row('a'), row('b')]);
  assert.deepEqual(
    findings.map(({ target, category }) => ({ target, category })),
    [{ target: { type: 'Node', node: 'node-01' }, category: 'accelerator_gpu' }],
  );
  const kinds = findings[0]?.evidence.map(item => item.kind);
  assert.deepEqual(kinds, ['kernel_log', 'history', 'history']);
});

test('attempts of one workflow are one witness, and the own workflow is none', () => {
  const attempts = [0, 1, 2].map(attempt => ({ ...row('a'), attemptIndex: attempt }));
  assert.deepEqual(targets(fault, attempts), ['job']);
  assert.deepEqual(targets(fault, [row('a'), row(own)]), ['job']);
});

test('one job that was told of under two workflows is one witness, and the own job is none', () => {
  const job = { workloadId: 'job-7' };
  assert.deepEqual(targets(fault, [row('a', job), row('b', job)]), ['job']);
  assert.deepEqual(targets(fault, [row('a', job), row('b', job), row('c')]), ['node-01']);
  const { workloadId } = reasoningContext().request;
  assert.deepEqual(targets(fault, [row('a'), row('b', { workloadId })]), ['job']);
});

test('another device, another node or an error that several devices showed is no witness', () => {
  assert.deepEqual(targets(fault, [row('a'), row('b', { pci: '0000:c3:00' })]), ['job']);
  assert.deepEqual(targets(fault, [row('a'), row('b', { node: 'node-02' })]), ['job']);
  assert.deepEqual(targets(fault, [row('a'), row('b', { alike: 2 })]), ['job']);
  assert.deepEqual(targets(fault, [row('a'), row('b', { pci: null })]), ['job']);
  assert.deepEqual(targets(fault, [row('a'), row('b', { strength: null })]), ['job']);
});

test('a GPU is itself on whatever node it sat', () => {
  const device = { pci: '0000:b3:00', uuid: 'GPU-1', index: null, name: null };
  const moved = [row('a', { node: 'node-09', uuid: 'GPU-1' }), row('b', { uuid: 'GPU-1', pci: '0000:01:00' })];
  assert.deepEqual(targets([pageFault('node-01', -60, { device })], moved), ['node-01']);
  const swapped = [row('a', { uuid: 'GPU-2' }), row('b', { uuid: 'GPU-3' })];
  assert.deepEqual(targets([pageFault('node-01', -60, { device })], swapped), ['job']);
});

test('an error that two devices of this failure show speaks for the program, whatever came before', () => {
  const both = [...fault, pageFault('node-02', -60)];
  assert.deepEqual(targets(both, [row('a'), row('b')]), ['job']);
});

test('what the job prints, and rules not proven, are never lifted', () => {
  const history = [row('a'), row('b')];
  const printed = pageFault('node-01', -60, { origin: 'job' });
  const unproven = pageFault('node-01', -60, { status: 'test', blames: 'nobody' });
  const storage = { ...symptom({ symptom: 'disk', node: 'node-01', device: '0000:b3:00', strength: 'S4' }) };
  for (const each of [printed, unproven, storage]) assert.ok(!targets([each], history).includes('node-01'));
});

test('recurrence makes it local and no more: a program error that clearly came first stays the cause', () => {
  const history = [row('a'), row('b')];
  assert.deepEqual(targets([...fault, traceback(-600)], history), ['job']);
  assert.deepEqual(targets([...fault, xid(79, 'node-03', -90)], history), ['node-03']);
});

test('what is kept of a lifted symptom is what was read', () => {
  const { symptoms } = concluded(fault, [row('a'), row('b')]);
  assert.deepEqual(
    symptoms.map(({ strength, blames, category, role }) => ({ strength, blames, category, role })),
    [{ strength: 'S4', blames: 'job', category: 'application_error', role: 'initiating' }],
  );
});
