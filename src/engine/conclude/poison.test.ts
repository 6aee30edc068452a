import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { type SymptomSpec, symptom, xid } from '../../../tests/support/symptoms.ts';

const reader = (node: string, at: number, rest: Partial<SymptomSpec> = {}) =>
  xid(94, node, at, { ...rest, symptom: 'gpu-contained-ecc' } as SymptomSpec);
const onLink = (node: string, at: number) =>
  xid(144, node, at, { symptom: 'nvlink-poison', strength: 'S4', blames: 'nobody' } as SymptomSpec);
const told = (node: string, at: number) => ({
  ...symptom({
    symptom: 'gpu-error-in-application',
    node,
    at,
    origin: 'job',
    strength: 'S4',
    blames: 'nobody',
  }),
  rule: 'cuda/contained-error',
});

test('what a unit read convicts its node where no other node tells of poison', () => {
  assert.deepEqual(answer([reader('node-01', -30)]).targets, ['node-01']);
  assert.deepEqual(answer([reader('node-01', -30), told('node-01', -29)]).targets, ['node-01']);
});

test('poison on a link of another node spares the reader, whichever clock is ahead', () => {
  for (const at of [-34, -26, -330, 270]) {
    const { targets, told: left } = answer([reader('node-01', -30), onLink('node-02', at)]);
    assert.deepEqual([targets, left], [[], ['node-01']], String(at));
  }
});

test('ranks of two nodes that read poison accuse neither', () => {
  assert.deepEqual(answer([reader('node-01', -30), told('node-02', -29)]).targets, []);
  assert.deepEqual(answer([reader('node-01', -30), reader('node-02', -30)]).targets, []);
});

test('the node whose own memory failed is named, and not who read from it', () => {
  const failed = xid(48, 'node-02', -25, { symptom: 'gpu-uncorrectable-ecc' } as SymptomSpec);
  assert.deepEqual(answer([reader('node-01', -30), reader('node-02', -30), failed]).targets, ['node-02']);
});

test('memory of its own that failed convicts a reader whoever tells of poison', () => {
  const told144 = onLink('node-02', -34);
  const remapped = xid(63, 'node-01', -29, { strength: 'S6', blames: 'nobody', ruleRole: 'confirmation' });
  assert.deepEqual(answer([reader('node-01', -30), remapped, told144]).targets, ['node-01']);
  const elsewhere = xid(63, 'node-01', -29, {
    device: '0000:c3:00',
    strength: 'S6',
    blames: 'nobody',
    ruleRole: 'confirmation',
  });
  assert.deepEqual(answer([reader('node-01', -30), elsewhere, told144]).targets, []);
  const inCache = reader('node-01', -30, { captures: { own_memory: 'LTC' } });
  assert.deepEqual(answer([inCache, told144]).targets, ['node-01']);
});
