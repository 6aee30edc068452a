import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRequest } from '../../tests/support/sample-request.ts';
import { sampleOutcome } from '../../tests/support/sample-session.ts';
import type { Outcome } from '../core/outcome.ts';
import { scopedOutcome } from './scoped-outcome.ts';

function outcomeAbout(...nodes: readonly string[]): Outcome {
  const [finding] = sampleOutcome().findings;
  assert.ok(finding);
  return sampleOutcome({ findings: nodes.map(node => ({ ...finding, target: { type: 'Node', node } })) });
}

function scoped(outcome: Outcome, nodes: readonly string[]) {
  const scope = { nodes, ranks: [], startTime: null, endTime: null };
  const { outcome: kept, leftOut } = scopedOutcome(outcome, sampleRequest({ scope }));
  return { named: kept.findings.map(({ target }) => (target.type === 'Node' ? target.node : 'job')), leftOut };
}

test('names are spelled as in the scope', () => {
  const outcome = outcomeAbout('node-01', 'node-02.cluster.example', 'rack_a');
  assert.deepEqual(scoped(outcome, ['node-01.cluster.example', 'node-02', 'rack_a_7']), {
    named: ['node-01.cluster.example', 'node-02', 'rack_a_7'],
    leftOut: [],
  });
});

test('nodes outside the scope, and names that could be two of it, are left out and told', () => {
  const outcome = outcomeAbout('node-09', 'rack_a', 'node-01');
  assert.deepEqual(scoped(outcome, ['node-01', 'rack_a_1', 'rack_a_2']), {
    named: ['node-01'],
    leftOut: ['node-09', 'rack_a'],
  });
});

test('an empty scope leaves names as they are', () => {
  assert.deepEqual(scoped(outcomeAbout('node-09'), []), { named: ['node-09'], leftOut: [] });
});

test('a finding about the whole job stays', () => {
  const [finding] = sampleOutcome().findings;
  assert.ok(finding);
  const outcome = sampleOutcome({ findings: [{ ...finding, target: { type: 'AllJobResources' } }] });
  assert.deepEqual(scoped(outcome, ['node-01']).named, ['job']);
});
