import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { coverage, nodesNamed, placement, symptom, xid } from '../../../tests/support/symptoms.ts';
import { reliability } from './reliability.ts';

const unread = { coverage: [coverage('kernel', 'node-02', 'absent'), coverage('kernel', 'node-[01,03-04]')] };
const ecc = (rank: number, rest = {}) =>
  symptom({
    symptom: 'ecc-in-application',
    rank,
    at: -5,
    origin: 'job',
    strength: 'S2',
    category: 'accelerator_memory',
    clock: 'job',
    stream: `rank ${rank}`,
    ...rest,
  });

test("an error of the rank's own device names its proven node, where the kernel log is missing", () => {
  const result = answer([placement(9, 'node-02'), ecc(9)], unread);
  assert.deepEqual(result.targets, ['node-02']);
  assert.equal(result.findings[0]?.confidence, reliability['job-text'].confidence);
  const notes =
    result.findings[0]?.evidence.filter(({ kind }) => kind === 'note').map(({ message }) => message) ?? [];
  assert.ok(notes.some(message => message.startsWith('from job text')));
  assert.ok(notes.some(message => message.includes('rank 9 ran on node-02')));
});

test('not where the rank is on no proven node', () => {
  assert.deepEqual(answer([ecc(9)], unread).targets, []);
  assert.deepEqual(answer([placement(9, 'node-02'), placement(9, 'node-03'), ecc(9)], unread).targets, []);
});

test('not where another node shows the same, nor a rank whose node is unknown', () => {
  const placed = [placement(9, 'node-02'), placement(17, 'node-03')];
  assert.deepEqual(answer([...placed, ecc(9), ecc(17)], unread).targets, []);
  assert.deepEqual(answer([...placed, ecc(9), ecc(40)], unread).targets, []);
  assert.deepEqual(answer([...placed, placement(10, 'node-02'), ecc(9), ecc(10)], unread).targets, ['node-02']);
});

test('not where the kernel log of the node was read to the end and shows nothing', () => {
  assert.deepEqual(answer([placement(9, 'node-02'), ecc(9)]).targets, []);
  for (const status of ['silent', 'truncated', 'failed', 'timed_out', 'unknown'] as const) {
    const partly = { coverage: [coverage('kernel', 'node-[01-04]', status)] };
    assert.deepEqual(answer([placement(9, 'node-02'), ecc(9)], partly).targets, ['node-02'], status);
  }
});

test('what the kernel log confirms is named by the kernel log', () => {
  const result = answer([
    placement(9, 'node-02'),
    ecc(9),
    xid(48, 'node-02', -6, { category: 'accelerator_memory' }),
  ]);
  assert.deepEqual(result.targets, ['node-02']);
  assert.equal(result.findings[0]?.evidence[0]?.kind, 'kernel_log');
});

test('the loss of a node is not for the job to tell', () => {
  assert.deepEqual(answer([ecc(9, { node: 'node-02', category: 'node_lost' })], unread).targets, []);
});

test('a set-up error names the one node of several that shows it', () => {
  const mount = (rank: number) =>
    ecc(rank, { symptom: 'mount-missing', category: 'node_configuration', strength: 'S3' });
  const placed = [placement(9, 'node-02'), placement(17, 'node-03')];
  assert.deepEqual(answer([...placed, mount(9)]).targets, ['node-02']);
  assert.deepEqual(answer([...placed, mount(9), mount(17)]).targets, []);
  assert.deepEqual(answer([placement(9, 'node-01'), mount(9)], { nodes: nodesNamed(1) }).targets, []);
});
