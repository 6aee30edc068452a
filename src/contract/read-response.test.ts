import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResponse } from './read-response.ts';
import { type AttributionResponse, renderResponse } from './render-response.ts';

const noon = 1_788_955_200_000_000_000n;

const answer: AttributionResponse = {
  serviceId: 'attribution-adapter',
  serviceVersion: '0.1.0',
  requestId: 'r1',
  attributionSessionId: 's1',
  attributions: [
    {
      target: { type: 'Node', node: 'node-01' },
      category: 'pcie',
      observedAt: noon + 250_000_000n,
      confidence: 0.9,
      evidence: [
        {
          kind: 'kernel_log',
          source: 'logs',
          observedAt: null,
          node: 'node-01',
          message: 'AER',
          reference: { kind: 'file', path: '/logs/node-01.log', line: 7 },
        },
      ],
    },
  ],
  unattributedTargets: [{ type: 'AllJobResources' }],
  error: { type: 'timeout', message: 'late' },
};

test('what was written is read', () => {
  const read = readResponse(renderResponse(answer, { categories: { pcie: 'bus' } }));
  assert.equal(read?.attributions[0]?.category, 'bus');
  assert.equal(read?.attributions[0]?.observedAt, noon + 250_000_000n);
  assert.equal(read?.attributions[0]?.evidence[0]?.reference, '/logs/node-01.log:7');
  assert.deepEqual(read?.unattributedTargets, [{ type: 'AllJobResources' }]);
  assert.deepEqual(read?.error, { type: 'timeout', message: 'late' });
});

test('members with a default may be absent, unknown ones are ignored', () => {
  const read = readResponse('{"service_id":"a","service_version":"1","request_id":"r","more":1}');
  assert.deepEqual(read?.attributions, []);
  assert.equal(read?.error, null);
});

for (const body of [
  '',
  '[]',
  '{}',
  '{"service_id":"a","service_version":"1","request_id":"r","attributions":3}',
]) {
  test(`${body === '' ? 'an empty body' : body} is no answer`, () => {
    assert.equal(readResponse(body), null);
  });
}

const minimal = '{"service_id":"a","service_version":"1","request_id":"r"';

for (const members of [
  '"attributions":[{"target":{"type":"Rack"},"error_category":"pcie","observed_at":"2026-03-02T12:00:00Z"}]',
  '"attributions":[{"target":{"type":"AllJobResources"},"error_category":"pcie","observed_at":"2026-03-02T12:00:00"}]',
  '"attributions":[{"target":{"type":"AllJobResources"},"error_category":"pcie","observed_at":"2026-03-02T12:00:00Z","confidence":2}]',
  '"attributions":[{"target":{"type":"AllJobResources"},"error_category":"pcie","observed_at":"2026-03-02T12:00:00Z","evidence":[3]}]',
  '"unattributed_targets":[{"type":"Node"}]',
  '"attribution_session_id":3',
  '"error":{"type":"other"}',
]) {
  test(`an answer with ${members} is none`, () => {
    assert.equal(readResponse(`${minimal},${members}}`), null);
  });
}
