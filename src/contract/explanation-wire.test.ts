import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSession, sampleSymptom } from '../../tests/support/sample-session.ts';
import { explanationToWire } from './explanation-wire.ts';

const asItIs = (text: string): string => text;

test('a session tells of each symptom its role, the reason and where it was read', () => {
  const reason = {
    kind: 'rule',
    pass: 'mark-initiating',
    text: 'unexplained, and local to node-01',
    cause: null,
  } as const;
  const session = sampleSession('a', { symptoms: [sampleSymptom({ reason })], corpusHash: 'abc' });
  const { corpus, symptoms, changes } = explanationToWire(session, asItIs);
  assert.equal(corpus, 'abc');
  assert.equal(changes, null);
  const [symptom] = symptoms;
  assert.equal(symptom?.role, 'initiating');
  assert.deepEqual(symptom?.reason, reason);
  assert.equal(symptom?.first, '2026-09-09T12:00:00Z');
  assert.deepEqual(symptom?.evidence, {
    message: 'NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.',
    reference: 'kernel/node-01.log:17',
  });
});

test('what would have changed the verdict is told with the verdict', () => {
  const change = { kind: 'guards', names: ['survived'] } as const;
  const verdict = {
    targets: [{ type: 'Node', node: 'node-01' }],
    problem: 'insufficient_telemetry',
  } as const;
  const session = sampleSession('a', { changes: [{ change, said: 'were it not', verdict }] });
  assert.deepEqual(explanationToWire(session, asItIs).changes, [
    { change, said: 'were it not', verdict: { targets: verdict.targets, error: 'insufficient_telemetry' } },
  ]);
});

test('every text that was read somewhere is redacted, and only then cut', () => {
  const secret = 'password=hunter22';
  const [observation] = sampleSymptom().observations;
  assert.ok(observation !== undefined);
  const long = `${'x'.repeat(492)} ${secret}`;
  const symptom = sampleSymptom({
    node: `node-${secret}`,
    device: { pci: null, uuid: null, index: null, name: secret },
    observations: [
      { ...observation, text: long, reference: { kind: 'query', query: `q ${secret}`, stamp: '1' } },
    ],
    reason: { kind: 'guard', pass: 'x', text: `local to ${secret}`, cause: null },
  });
  const verdict = { targets: [], problem: null };
  const session = sampleSession('a', {
    symptoms: [symptom],
    changes: [{ change: { kind: 'symptoms', ids: ['a'] }, said: `without ${secret}`, verdict }],
  });
  const wire = explanationToWire(session, text => text.replaceAll(secret, '[redacted]'));
  assert.doesNotMatch(JSON.stringify(wire), /hunter|passw/);
  assert.ok((wire.symptoms[0]?.evidence?.message.length ?? 0) <= 500);
});
