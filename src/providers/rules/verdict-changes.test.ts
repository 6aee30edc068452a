import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symptom } from '../../../tests/support/symptoms.ts';
import type { Finding, Outcome } from '../../core/outcome.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { Change, VerdictChange } from '../../core/verdict-change.ts';
import { concludeSteps } from '../../engine/conclude/conclude.ts';
import { explainPasses } from '../../engine/explain/explain.ts';
import { explainWithout, guards, stepsWithout } from './counterfactual.ts';
import { verdictChanges } from './verdict-changes.ts';

const finding = (node: string): Finding => ({
  target: { type: 'Node', node },
  category: 'accelerator_gpu',
  observedAt: null,
  evidence: [],
  confidence: null,
});
const naming = (...nodes: readonly string[]): Outcome => ({
  findings: nodes.map(finding),
  unattributed: [],
  coverage: [],
  problem: null,
});
const accusing = (name: string, node: string): Symptom => ({
  ...symptom({ symptom: name, node }),
  role: 'initiating',
});

/** Those that were reckoned at all. */
function reckoned(...given: Parameters<typeof verdictChanges>): readonly VerdictChange[] {
  const changes = verdictChanges(...given);
  assert.ok(changes !== null);
  return changes;
}

/** Names each node that any of the symptoms left is on. */
const naive =
  (symptoms: readonly Symptom[]) =>
  (change: Change): Outcome => {
    const left = symptoms.filter(({ id }) => change.kind !== 'symptoms' || !change.ids.includes(id));
    return naming(...new Set(left.flatMap(({ node }) => node ?? [])));
  };

test('one symptom that decides is told alone', () => {
  const symptoms = [accusing('xid', 'node-01'), accusing('ecc', 'node-02')];
  const changes = reckoned(symptoms, naming('node-01', 'node-02'), naive(symptoms));
  assert.deepEqual(
    changes.map(({ said, verdict }) => [said, verdict.targets]),
    [
      ['without xid on node-01', [{ type: 'Node', node: 'node-02' }]],
      ['without ecc on node-02', [{ type: 'Node', node: 'node-01' }]],
    ],
  );
});

test('several that accuse one target are told together, where none alone decides', () => {
  const symptoms = [accusing('xid', 'node-01'), accusing('ecc', 'node-01')];
  const [change, ...more] = reckoned(symptoms, naming('node-01'), naive(symptoms));
  assert.deepEqual(more, []);
  assert.equal(change?.said, 'without all 2 symptoms that accuse node-01');
  assert.deepEqual(change?.change, { kind: 'symptoms', ids: symptoms.map(({ id }) => id) });
});

test('a guard that decided about something that blames is thought away', () => {
  const spared: Symptom = {
    ...symptom({ symptom: 'xid', node: 'node-01' }),
    role: 'context',
    reason: { kind: 'guard', pass: 'survived', text: 'training went on after it', cause: null },
  };
  const thoughtAway = (change: Change): Outcome => (change.kind === 'guards' ? naming('node-01') : naming());
  assert.deepEqual(verdictChanges([spared], naming(), thoughtAway), [
    {
      change: { kind: 'guards', names: ['survived'] },
      said: `were it not that ${guards['survived']}`,
      verdict: { targets: [{ type: 'Node', node: 'node-01' }], problem: null },
    },
  ]);
});

test('the number of tries follows from the number of symptoms', () => {
  const symptoms = Array.from({ length: 50 }, (_, index) => accusing('xid', `node-${index}`));
  const outcome = naming(...symptoms.flatMap(({ node }) => node ?? []));
  assert.equal(verdictChanges(symptoms, outcome, naive(symptoms), 500)?.length, 10);
  assert.equal(verdictChanges(symptoms, outcome, naive(symptoms), 40), null);
});

test('every guard is the name of one pass or step, and thinking it away takes out that one', () => {
  for (const name of Object.keys(guards)) {
    const change: Change = { kind: 'guards', names: [name] };
    const left = explainWithout(change).length + stepsWithout(change).length;
    assert.equal(left, explainPasses.length + concludeSteps.length - 1, name);
  }
});

test('where several guards spare somebody, the fewest that do so together are told', () => {
  const spared: Symptom = {
    ...accusing('xid', 'node-01'),
    role: 'context',
    reason: { kind: 'guard', pass: 'survived', text: 'training went on after it', cause: null },
  };
  const both = (change: Change): Outcome =>
    change.kind === 'guards' && ['survived', 'recovered'].every(name => change.names.includes(name))
      ? naming('node-01')
      : naming();
  const [change, ...more] = reckoned([spared], naming(), both);
  assert.deepEqual(more, []);
  assert.deepEqual(change?.change, { kind: 'guards', names: ['recovered', 'survived'] });
  assert.equal(change?.said, `were it not that ${guards['recovered']}, and that ${guards['survived']}`);
});
