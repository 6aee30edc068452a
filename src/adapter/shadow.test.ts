import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Attribute,
  adapterUnderTest,
  call,
  finding,
  outcome,
} from '../../tests/support/adapter-under-test.ts';
import { sampleRequest } from '../../tests/support/sample-request.ts';
import { readAuditedAnswer, renderResponse } from '../contract/index.ts';
import type { AuditEntry } from '../core/audit.ts';

function inShadow(attribute: Attribute) {
  const entries: AuditEntry[] = [];
  const tested = adapterUnderTest(attribute, {
    settings: { shadow: true, coverage: true },
    audit: { record: async entry => void entries.push(entry) },
  });
  return { ...tested, entries };
}

/** What the client of the off mode makes up, besides who answered and the session. */
const empty = { attributions: [], unattributed_targets: [], error: null };

test('whatever a provider says, the caller gets a normal answer with nothing in it, and the real one is kept', async () => {
  const problem = { type: 'insufficient_telemetry', message: 'nothing was read' } as const;
  for (const [said, result] of [
    [outcome({ findings: [finding()], unattributed: [{ type: 'Node', node: 'worker-02' }] }), 'attributed'],
    [outcome({ problem }), 'insufficient_telemetry'],
    [outcome(), 'nothing_found'],
  ] as const) {
    const { adapter, entries, log } = inShadow(async () => said);
    const response = await adapter.attribute(sampleRequest(), call);
    const { schema_version, service_id, service_version, request_id, attribution_session_id, ...rest } =
      JSON.parse(renderResponse(response)) as Record<string, unknown>;
    assert.deepEqual(rest, empty);
    assert.ok([schema_version, service_id, service_version, request_id, attribution_session_id].every(Boolean));

    const kept = readAuditedAnswer(entries[0]?.body ?? '');
    assert.equal(kept?.shadow, true);
    assert.equal(new Map(kept?.about).get('result'), result);
    assert.equal(kept?.answer.attributions.length, said.findings.length);
    assert.equal(kept?.answer.unattributedTargets.length, said.unattributed.length);
    const answered = log.lines.find(({ message }) => message === 'attribution answered');
    assert.deepEqual([answered?.fields['shadow'], answered?.fields['result']], [true, result]);
  }
});

test('a provider that throws, and a deadline that leaves no time, are as empty', async () => {
  const failing = inShadow(async () => Promise.reject(new Error('broken')));
  const late = inShadow(async () => outcome());
  for (const [{ adapter }, change] of [
    [failing, {}],
    [late, { timeoutMs: 0 }],
    [late, { phase: 'slow' }],
  ] as const) {
    const response = await adapter.attribute(sampleRequest(change), call);
    assert.deepEqual([response.attributions, response.unattributedTargets, response.error], [[], [], null]);
  }
  const results = [...failing.entries, ...late.entries].map(({ body }) =>
    new Map(readAuditedAnswer(body)?.about).get('result'),
  );
  assert.deepEqual(results, ['service_error', 'timeout', 'no_attribution_available']);
});

test('slow goes on with the session of fast', async () => {
  const { adapter, entries } = inShadow(async () => outcome({ findings: [finding()] }));
  const fast = await adapter.attribute(sampleRequest(), call);
  const slow = await adapter.attribute(
    sampleRequest({
      phase: 'slow',
      continueSession: fast.attributionSessionId,
      scope: { nodes: ['worker-01'], ranks: [], startTime: 1n, endTime: 2n },
    }),
    call,
  );
  assert.equal(slow.attributionSessionId, fast.attributionSessionId);
  assert.deepEqual(
    entries.map(({ sessionId }) => sessionId),
    [fast.attributionSessionId, fast.attributionSessionId],
  );
});
