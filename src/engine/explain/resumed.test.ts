import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom } from '../../../tests/support/symptoms.ts';
import { resumed } from './resumed.ts';

const scheduler = { origin: 'scheduler', stream: 'scheduler/ctld' } as const;
const short = symptom({ symptom: 'gpu-count-low', node: 'node-02', at: -900, lasts: true, ...scheduler });
const back = (at: number, node = 'node-02') =>
  symptom({ symptom: 'node-resumed', node, at, blames: 'nobody', ruleRole: 'noise', ...scheduler });
const given = (job: string, at: number) =>
  symptom({
    symptom: 'job-told-of',
    at,
    ruleRole: 'placement',
    captures: { job, nodes: 'node-[01-04]' },
    ...scheduler,
  });

const roleOf = (beside: readonly ReturnType<typeof back>[], jobStart: number | null, seen = short) =>
  resumed.run([seen, ...beside], reasoningContext({ jobStart }))[0]?.role;

test('a state is over once the node was given back before the job began', () => {
  assert.equal(roleOf([back(-700)], -600), 'context');
  assert.equal(roleOf([back(-700), given('4242', -600)], null), 'context');
  assert.equal(roleOf([back(-700)], null), 'context');
});

test('it is not where the node was given back later, or another node was', () => {
  assert.equal(roleOf([back(-500)], -600), 'unknown');
  assert.equal(roleOf([back(-500), given('4242', -600)], null), 'unknown');
  assert.equal(roleOf([back(60)], null), 'unknown');
  assert.equal(roleOf([back(-700, 'node-03')], -600), 'unknown');
  assert.equal(roleOf([], -600), 'unknown');
});

test('it is not where it came again, nor what does not last or another log tells', () => {
  assert.equal(roleOf([back(-1000)], -600), 'unknown');
  assert.equal(roleOf([back(-700)], -600, { ...short, lasts: false }), 'unknown');
  assert.equal(roleOf([back(-700)], -600, { ...short, origin: 'kernel' }), 'unknown');
});

test('the loss of a node is over once it answered again long before the failure', () => {
  const lost = symptom({
    symptom: 'node-down',
    node: 'node-02',
    at: -9000,
    category: 'node_lost',
    ...scheduler,
  });
  const answers = (at: number) =>
    symptom({
      symptom: 'node-returned',
      node: 'node-02',
      at,
      blames: 'nobody',
      ruleRole: 'noise',
      ...scheduler,
    });
  assert.equal(roleOf([answers(-8000)], null, lost), 'context');
  assert.equal(roleOf([answers(-600)], null, lost), 'unknown');
  assert.equal(roleOf([answers(-800)], -100, short), 'unknown');
});
