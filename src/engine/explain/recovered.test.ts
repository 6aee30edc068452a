import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom } from '../../../tests/support/symptoms.ts';
import { recovered } from './recovered.ts';

const network = { node: 'node-01', category: 'network_fabric', strength: 'S3' } as const;
const down = (at: number | null, rest = {}) => symptom({ ...network, symptom: 'link-down', at, ...rest });
const up = (at: number, rest = {}) =>
  symptom({ ...network, symptom: 'link-recovered', at, ruleRole: 'confirmation', blames: 'nobody', ...rest });
const role = (...symptoms: Parameters<typeof recovered.run>[0]) =>
  recovered.run(symptoms, reasoningContext())[0]?.role;

test('a link that is back at once is context', () => {
  assert.equal(role(down(-30), up(-26)), 'context');
});

test('a link that came back late, before, elsewhere or on another port is not', () => {
  assert.equal(role(down(-30), up(-15)), 'unknown');
  assert.equal(role(down(-30), up(-31)), 'unknown');
  assert.equal(role(down(-30), up(-26, { node: 'node-02' })), 'unknown');
  assert.equal(role(down(-30, { device: 1 }), up(-26, { device: 2 })), 'unknown');
  assert.equal(role(down(null), up(-26)), 'unknown');
});

test('a link without times is back where that stands below it in its stream', () => {
  const undated = (line: number) => ({ at: null, line, clock: 'out.log' });
  const back = symptom({ ...network, symptom: 'link-recovered', blames: 'nobody', ...undated(9) });
  assert.equal(role(down(null, undated(8)), back), 'context');
  assert.equal(role(down(null, undated(10)), back), 'unknown');
  assert.equal(role(down(null, { ...undated(8), clock: 'err.log' }), back), 'unknown');
});

test('a link that goes down again and again is bad', () => {
  assert.equal(role(down(-60, { until: -30, count: 3 }), up(-59, { until: -26 })), 'unknown');
});

test('what convicts by itself is not excused', () => {
  assert.equal(role(down(-30, { strength: 'S1' }), up(-26)), 'unknown');
});
