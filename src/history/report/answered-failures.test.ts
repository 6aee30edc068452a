import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adapterUnderTest, call, finding, outcome } from '../../../tests/support/adapter-under-test.ts';
import { auditLimits } from '../../../tests/support/audit-store-suite.ts';
import { fakeClock } from '../../../tests/support/fake-clock.ts';
import { sampleRequest } from '../../../tests/support/sample-request.ts';
import { sampleSymptom } from '../../../tests/support/sample-session.ts';
import type { Symptom } from '../../core/symptom.ts';
import { memoryAudit } from '../memory-audit.ts';
import { answeredFailures } from './answered-failures.ts';

const whole = { from: 0n, phase: null, shadowOnly: false } as const;

/** Fast and then slow about one failure: fast names nobody, slow a node and the job. */
async function answered(shadow: boolean, symptoms: readonly Symptom[]) {
  const audit = memoryAudit({ clock: fakeClock() }, auditLimits);
  const { adapter } = adapterUnderTest(
    async (context, { phase }) => {
      context.session.keep({ windows: [], symptoms, coverage: [], corpusHash: null });
      const job = finding('', { target: { type: 'AllJobResources' }, category: 'application_oom' });
      return outcome({ findings: phase === 'fast' ? [] : [finding(), job] });
    },
    { audit, settings: { shadow } },
  );
  const fast = await adapter.attribute(sampleRequest(), call);
  await adapter.attribute(
    sampleRequest({
      phase: 'slow',
      continueSession: fast.attributionSessionId,
      scope: { nodes: ['worker-01'], ranks: [], startTime: 1n, endTime: 2n },
    }),
    call,
  );
  return { audit, session: fast.attributionSessionId };
}

test('the last answer of a failure counts, or the last of a phase, each with the rule that led to it', async () => {
  const began = sampleSymptom({
    id: 'a',
    rule: 'gpu/off-bus',
    code: '79',
    node: 'worker-01',
    role: 'initiating',
  });
  const other = sampleSymptom({ id: 'b', rule: 'gpu/page-fault', node: 'worker-01', role: 'cascade' });
  const { audit, session } = await answered(true, [other, began]);
  const [failure, ...more] = await answeredFailures(audit, whole);
  assert.equal(more.length, 0);
  assert.deepEqual(
    [failure?.about, failure?.shadow, failure?.said],
    [
      session,
      true,
      [
        { node: 'worker-01', rule: 'gpu/off-bus 79' },
        { node: null, rule: 'gpu/off-bus 79' },
      ],
    ],
  );
  const [fast] = await answeredFailures(audit, { ...whole, phase: 'fast' });
  assert.deepEqual([fast?.about, fast?.said], [session, []]);
  assert.deepEqual(await answeredFailures(audit, { ...whole, from: 2n ** 62n }), []);
});

test('without rules the category stands for them, and what was told is left out of shadow alone', async () => {
  const { audit } = await answered(false, []);
  const [failure] = await answeredFailures(audit, whole);
  assert.deepEqual(failure?.said, [
    { node: 'worker-01', rule: 'accelerator_gpu' },
    { node: null, rule: 'application_oom' },
  ]);
  assert.deepEqual(await answeredFailures(audit, { ...whole, shadowOnly: true }), []);
});
