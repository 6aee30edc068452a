import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { adapterUnderTest, call, finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { sampleRequest } from '../../tests/support/sample-request.ts';
import { sampleSymptom } from '../../tests/support/sample-session.ts';
import { readAuditedAnswer, renderRequest, renderResponse } from '../contract/index.ts';
import type { AuditEntry } from '../core/audit.ts';
import type { SourceCoverage } from '../core/coverage.ts';
import type { Symptom } from '../core/symptom.ts';

const coverage: readonly SourceCoverage[] = [
  {
    source: 'logs',
    origin: 'kernel',
    window: { from: 1n, to: 2n },
    query: '{app="secret"}',
    filter: null,
    streams: 1,
    lines: 7,
    bytes: 70,
    groups: [{ status: 'failed', nodes: 'node-01', count: 1, reason: 'secret went wrong' }],
    notYet: null,
    remarks: ['secret'],
  },
];

function audited(symptoms: readonly Symptom[] = [sampleSymptom()]) {
  const entries: AuditEntry[] = [];
  const tested = adapterUnderTest(
    async context => {
      context.session.keep({ windows: [{ from: 1n, to: 2n }], symptoms, coverage, corpusHash: 'c0ffee' });
      return outcome({ findings: [finding()], coverage });
    },
    {
      audit: { record: async entry => void entries.push(entry) },
      redact: text => text.replaceAll('secret', '[redacted]'),
    },
  );
  return { ...tested, entries };
}

const bodyOf = (entry: AuditEntry | undefined) =>
  JSON.parse(entry?.body ?? 'null') as Readonly<Record<string, unknown>>;

test('every answer is kept as it was given, with the hashes of what it was made from', async () => {
  const { adapter, entries, clock } = audited();
  const response = await adapter.attribute(sampleRequest(), call);
  const [entry] = entries;
  assert.deepEqual(
    [entry?.requestId, entry?.sessionId, entry?.workloadId, entry?.at],
    [response.requestId, response.attributionSessionId, '12345', clock.now()],
  );
  const body = bodyOf(entry);
  assert.deepEqual(body['answer'], JSON.parse(renderResponse(response)));
  const request = createHash('sha256').update(renderRequest(sampleRequest())).digest('hex');
  assert.deepEqual(
    [body['result'], body['corpus_sha256'], body['request_sha256'], body['provider']],
    ['attributed', 'c0ffee', request, 'test'],
  );
  assert.equal(body['service_version'], '0.1.0+c0ffee');
});

test('the same evidence has the same hash, and other evidence another', async () => {
  const same = audited();
  await same.adapter.attribute(sampleRequest(), call);
  await same.adapter.attribute(sampleRequest(), call);
  const [first, second] = same.entries.map(bodyOf);
  assert.match(String(first?.['evidence_sha256']), /^[0-9a-f]{64}$/);
  assert.equal(first?.['evidence_sha256'], second?.['evidence_sha256']);
  assert.equal(first?.['coverage_sha256'], second?.['coverage_sha256']);
  assert.notEqual(first?.['request_id'], second?.['request_id']);
  const other = audited([sampleSymptom({ count: 2 })]);
  await other.adapter.attribute(sampleRequest(), call);
  assert.notEqual(bodyOf(other.entries[0])['evidence_sha256'], first?.['evidence_sha256']);
});

test('what was taken for what is kept folded, and nothing of it carries a secret', async () => {
  const { adapter, entries } = audited([
    sampleSymptom({ id: '1', role: 'initiating' }),
    sampleSymptom({
      id: '2',
      role: 'cascade',
      node: 'node-02',
      count: 3,
      reason: { kind: 'inhibition', pass: 'inhibit', text: 'follows from secret', cause: '1' },
    }),
    sampleSymptom({
      id: '3',
      role: 'cascade',
      node: 'node-03',
      count: 4,
      reason: { kind: 'inhibition', pass: 'inhibit', text: 'follows from secret', cause: '1' },
    }),
  ]);
  await adapter.attribute(sampleRequest(), call);
  const body = entries[0]?.body ?? '';
  assert.doesNotMatch(body, /secret/);
  const read = readAuditedAnswer(body);
  assert.deepEqual(
    read?.explained.map(({ role, count, nodes, nodeCount, reason }) => [role, count, nodes, nodeCount, reason]),
    [
      ['initiating', sampleSymptom().count, ['node-01'], 1, sampleSymptom().reason?.text ?? null],
      ['cascade', 7, ['node-02', 'node-03'], 2, 'follows from [redacted]'],
    ],
  );
  assert.equal(read?.coverage[0]?.lines, 7);
  assert.equal(read?.answer.attributions.length, 1);
});

test('an answer that never came to a session is kept too', async () => {
  const { adapter, entries } = audited();
  await adapter.attribute(sampleRequest({ timeoutMs: 0 }), call);
  await adapter.settled();
  assert.deepEqual([entries[0]?.sessionId, bodyOf(entries[0])['result']], [null, 'timeout']);
  assert.equal(bodyOf(entries[0])['evidence_sha256'], null);
});

test('an audit that cannot be written leaves the answer as it is, and is told in the log', async () => {
  const failing = adapterUnderTest(async () => outcome({ findings: [finding()] }), {
    audit: { record: () => Promise.reject(new Error('no space is left for it')) },
  });
  const response = await failing.adapter.attribute(sampleRequest(), call);
  assert.equal(response.attributions.length, 1);
  assert.notEqual(response.attributionSessionId, null);
  assert.ok(failing.log.lines.some(({ message }) => message.includes('cannot be kept for later')));
});
