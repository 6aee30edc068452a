import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { sampleRequest } from '../../tests/support/sample-request.ts';
import { sampleEvidence } from '../../tests/support/sample-session.ts';
import type { AttributionRequest } from '../contract/index.ts';
import type { Finding, Outcome } from '../core/outcome.ts';
import { type ResponseParts, respond } from './respond.ts';

const parts: ResponseParts = {
  serviceId: 'attribution-adapter',
  serviceVersion: '0.1.0',
  requestId: 'r1',
  sessionId: 's1',
  settings: { maxUnattributed: 64 },
  redact: text => text,
};

function respondTo(change: Partial<Outcome>, request: AttributionRequest = sampleRequest()) {
  return respond(outcome(change), request, parts);
}

const undated: Finding = finding('worker-01', {
  observedAt: null,
  evidence: [sampleEvidence({ observedAt: null })],
});
const jobEnded = sampleRequest({
  workloadContext: { workflowId: 'training-example', attemptIndex: 0, jobEndTime: 77n },
});

test('observed_at is the time of the evidence', () => {
  const [answer] = respondTo({ findings: [finding('worker-01', { observedAt: 5n })] }, jobEnded).attributions;
  assert.equal(answer?.observedAt, 5n);
  assert.ok(answer?.evidence.every(item => item.kind !== 'note'));
});

test('a finding without time of its own takes its earliest evidence', () => {
  const evidence = [9n, null, 7n].map(observedAt => sampleEvidence({ observedAt }));
  const [answer] = respondTo({ findings: [finding('worker-01', { observedAt: null, evidence })] }).attributions;
  assert.equal(answer?.observedAt, 7n);
});

test('without any time the job end stands in, and the evidence says so', () => {
  const [answer] = respondTo({ findings: [undated] }, jobEnded).attributions;
  assert.equal(answer?.observedAt, 77n);
  const note = answer?.evidence.at(-1);
  assert.deepEqual([note?.kind, note?.reference, note?.observedAt], ['note', null, null]);
  assert.match(note?.message ?? '', /observed_at is a fallback.*job_end_time/);
});

test('without a job end the detection stands in, and the evidence says so', () => {
  const [answer] = respondTo({ findings: [undated] }).attributions;
  assert.equal(answer?.observedAt, sampleRequest().failureContext.detectedAt);
  assert.match(answer?.evidence.at(-1)?.message ?? '', /fallback.*detected_at/);
});

test('texts that were read are redacted, names and paths are not', () => {
  const evidence = [
    sampleEvidence({ message: 'secret one', node: 'node-secret' }),
    sampleEvidence({ reference: { kind: 'query', query: 'secret two', stamp: '7' } }),
    sampleEvidence({ reference: { kind: 'file', path: 'job/secret.log', line: 3 } }),
  ];
  const answer = respond(
    outcome({
      findings: [finding('node-secret', { evidence })],
      problem: { type: 'timeout', message: 'secret three' },
    }),
    sampleRequest(),
    { ...parts, redact: text => text.replaceAll('secret', '***') },
  );
  const shown = answer.attributions[0];
  assert.deepEqual(shown?.target, { type: 'Node', node: 'node-secret' });
  assert.equal(shown?.evidence[0]?.message, '*** one');
  assert.equal(shown?.evidence[0]?.node, 'node-secret');
  assert.deepEqual(shown?.evidence[1]?.reference, { kind: 'query', query: '*** two', stamp: '7' });
  assert.deepEqual(shown?.evidence[2]?.reference, { kind: 'file', path: 'job/secret.log', line: 3 });
  assert.equal(answer.error?.message, '*** three');
});

test('at most 64 unattributed targets are listed, and a setting empties the member', () => {
  const unattributed = Array.from({ length: 100 }, (_, at) => ({ type: 'Node', node: `node-${at}` }) as const);
  const listed = (maxUnattributed: number) =>
    respond(outcome({ unattributed }), sampleRequest(), { ...parts, settings: { maxUnattributed } })
      .unattributedTargets;
  assert.deepEqual(listed(1_000), unattributed.slice(0, 64));
  assert.deepEqual(listed(2), unattributed.slice(0, 2));
  assert.deepEqual(listed(0), []);
});

test('coverage is in an answer only where the operator wants it, and redacted', () => {
  const coverage: Outcome['coverage'] = [
    {
      source: 'logs',
      origin: 'kernel',
      window: null,
      query: 'a secret query',
      filter: null,
      streams: 1,
      lines: 2,
      bytes: 3,
      groups: [{ status: 'failed', nodes: 'node-01', count: 1, reason: 'a secret reason' }],
      notYet: null,
      remarks: ['a secret remark'],
    },
  ];
  assert.equal(respondTo({ coverage }).coverage, undefined);
  const settings = { ...parts.settings, coverage: true };
  const redact = (text: string) => text.replace('secret', '***');
  const [entry] =
    respond(outcome({ coverage }), sampleRequest(), { ...parts, settings, redact }).coverage ?? [];
  assert.deepEqual(
    [entry?.query, entry?.groups[0]?.reason, entry?.remarks[0]],
    ['a *** query', 'a *** reason', 'a *** remark'],
  );
  assert.equal(entry?.groups[0]?.nodes, 'node-01');
});
