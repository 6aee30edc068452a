import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progress, symptom, xid } from '../../tests/support/symptoms.ts';
import { explanationToWire, type WireExplanation } from '../contract/index.ts';
import type { CausalRole, ReasonKind, Symptom } from '../core/symptom.ts';
import type { VerdictChange } from '../core/verdict-change.ts';
import { explanationText } from './explanation-text.ts';
import { styleFor } from './terminal.ts';

const plain = styleFor({}, false, {});
const linesOf = (explanation: WireExplanation): readonly string[] =>
  explanationText(explanation, plain).trimEnd().split('\n');
const explain = (
  symptoms: readonly Symptom[],
  changes: readonly VerdictChange[] | null = [],
): readonly string[] => linesOf(explanationToWire({ corpusHash: null, symptoms, changes }, text => text));

function taken(
  seen: Symptom,
  role: CausalRole,
  text: string,
  cause: string | null = null,
  kind: ReasonKind = 'rule',
  pass = 'some-pass',
): Symptom {
  return { ...seen, role, reason: { kind, pass, text, cause } };
}

test('a symptom is one line: when, what, where, how often, why, and by which rule', () => {
  const root = taken(xid(79, 'node-01', -60), 'initiating', 'unexplained, and local to node-01');
  assert.equal(
    explain([root])[1],
    '  initiating  11:59:00 xid-79 on node-01, once: unexplained, and local to node-01  [test/xid-79 xid-79 S1, rule]',
  );
});

test('the same on many nodes is one line, also where each has a cause of its own', () => {
  const nodes = ['node-01', 'node-02', 'node-03'];
  const causes = nodes.map(node => taken(xid(79, node, -60), 'initiating', `local to ${node}`));
  const followers = nodes.map((node, at) =>
    taken(
      xid(154, node, -50, { strength: 'S6' }),
      'cascade',
      `follows from xid-79 on ${node}`,
      causes[at]?.id ?? null,
      'inhibition',
    ),
  );
  const lines = explain([...followers, ...causes]);
  assert.equal(lines.length, 3);
  assert.match(lines[1] ?? '', /^ {2}initiating .* on node-\[01-03\], 3 times: local to node-\[01-03\] /);
  assert.match(
    lines[2] ?? '',
    /^ {2}cascade .* 3 times: follows from xid-79 on node-\[01-03\] .*inhibition\]$/,
  );
});

test('a guard is told by its name, and noise is only counted', () => {
  const spared = taken(
    xid(79, 'node-01', -60),
    'context',
    'training went on after it: iteration',
    null,
    'guard',
    'survived',
  );
  const noise = taken(
    symptom({ symptom: 'hum', node: 'node-01', ruleRole: 'noise', strength: 'S6', count: 3 }),
    'context',
    'known to mean nothing',
  );
  const went = taken(progress(-50, -10), 'context', 'shows that training went on');
  const lines = explain([noise, spared, went]);
  assert.match(lines[1] ?? '', /\[test\/xid-79 xid-79 S1, guard survived\]$/);
  assert.match(lines[2] ?? '', /iteration/);
  assert.equal(lines[3], '  context     1 more kind, 3 times (-o json lists all)');
});

test('thousands of kinds on thousands of nodes stay a page of lines of bounded length', () => {
  const roles = ['initiating', 'unknown', 'cascade', 'teardown', 'context'] as const;
  const symptoms = Array.from({ length: 5_000 }, (_, at) =>
    taken(
      symptom({ symptom: `kind-${at % 500}`, node: `node-${at * 7}` }),
      roles[at % 5] ?? 'unknown',
      'so it is',
    ),
  );
  const verdict = { targets: [], problem: null };
  const changes = Array.from({ length: 64 }, (_, at) => ({
    change: { kind: 'symptoms' as const, ids: [`a${at}`, `b${at}`] },
    said: `without ${at}`,
    verdict,
  }));
  const lines = explain(symptoms, changes);
  assert.ok(lines.length <= 70, String(lines.length));
  assert.deepEqual(
    lines.filter(line => line.length > 200),
    [],
  );
  assert.equal(lines.filter(line => line.includes('-o json lists all')).length, 6);
});

test('changes that say the same of several symptoms alike are one line', () => {
  const ranks = [0, 1, 2].map(rank =>
    taken(symptom({ symptom: 'stuck', node: 'node-01', rank }), 'initiating', 'all are stuck'),
  );
  const changes = ranks.map(({ id }, rank) => ({
    change: { kind: 'symptoms' as const, ids: [id] },
    said: `without stuck on node-01 (rank ${rank})`,
    verdict: { targets: [], problem: null },
  }));
  const other = {
    change: { kind: 'guards' as const, names: ['x'] },
    said: 'were it not that x',
    verdict: {
      targets: [{ type: 'Node' as const, node: 'node-02' }],
      problem: null,
    },
  };
  assert.deepEqual(explain(ranks, [...changes, other]).slice(0, 2), [
    '  else  without stuck on node-01 (rank 0) (or any one of 2 more like it): nobody would be named',
    '  else  were it not that x: node-02 would be named',
  ]);
});

test('where nothing changes the answer, or nothing was tried, that is said', () => {
  assert.deepEqual(explain([]), ['  else  no symptom and no guard decides the answer alone']);
  assert.deepEqual(explain([], null), ['  else  what would have changed the answer was not reckoned']);
});

test('a name out of a log cannot begin a line of its own', () => {
  const seen = taken(xid(79, 'node-01\nNODE  node-02', -60), 'initiating', 'unexplained');
  assert.equal(explain([seen]).length, 2);
});
