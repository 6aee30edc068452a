import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { startService, temporaryFolder } from '../support/service.ts';
import { claim } from './claims.ts';
import { caseFolder, exampleRequest, post } from './example.ts';

const service = await startService([
  '--evidence',
  join(caseFolder, 'evidence'),
  '--state',
  temporaryFolder({ after }),
]);
after(() => service.stop());
const failed = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as typeof exampleRequest;
const epilog = { start_time: '2026-03-02T10:15:00Z', end_time: '2026-03-02T10:18:00Z' };

claim(20, async () => {
  for (const member of Object.keys(exampleRequest)) {
    const without = Object.fromEntries(Object.entries(exampleRequest).filter(([name]) => name !== member));
    const answer = await post(service.url, without);
    assert.equal(answer.status, 422, member);
    assert.match(answer.text, new RegExp(`"type":"missing","loc":\\["body","${member}"\\]`));
  }
});

claim(21, async () => {
  const naive = await post(service.url, {
    ...exampleRequest,
    failure_context: { detected_at: '2026-09-09T12:00:00', detection_signal: 'x' },
  });
  assert.equal(naive.status, 422);
  assert.match(naive.text, /"type":"timezone_aware"/);
  const answer = await post(service.url, failed);
  for (const finding of answer.body.attributions) assert.match(finding.observed_at, /Z$/);
});

claim(22, async () => {
  for (const [workflowId, status] of [
    ['', 422],
    ['x'.repeat(256), 200],
    ['x'.repeat(257), 422],
    [' padded', 422],
    ['tab\there', 422],
    ['e\u0301', 422],
  ] as const) {
    const answer = await post(service.url, {
      ...exampleRequest,
      workload_context: { workflow_id: workflowId, attempt_index: 0 },
    });
    assert.equal(answer.status, status, JSON.stringify(workflowId));
  }
});

claim(23, async () => {
  const first = await post(service.url, failed);
  const other = await post(service.url, {
    ...failed,
    continue_session: first.body.attribution_session_id,
    workload_context: { ...failed.workload_context, attempt_index: 7 },
  });
  assert.notEqual(other.body.attribution_session_id, first.body.attribution_session_id);
  const negative = { workflow_id: 'w', attempt_index: -1 };
  assert.equal((await post(service.url, { ...exampleRequest, workload_context: negative })).status, 422);
});

claim(24, async () => {
  assert.equal((await post(service.url, exampleRequest)).status, 200);
});

claim(25, async () => {
  assert.equal((await post(service.url, { ...exampleRequest, phase: 'both' })).status, 422);
  assert.equal((await post(service.url, { ...exampleRequest, phase: ['fast', 'slow'] })).status, 422);
});

claim(26, async () => {
  const answer = await post(service.url, failed);
  assert.deepEqual(
    answer.body.attributions.map(finding => finding.target),
    [{ type: 'Node', node: 'node-03' }],
  );
});

claim(27, async () => {
  const fast = await post(service.url, failed);
  const slow = await post(service.url, {
    ...failed,
    phase: 'slow',
    scope: { ...failed.scope, ...epilog },
    continue_session: fast.body.attribution_session_id,
  });
  assert.equal(slow.body.attribution_session_id, fast.body.attribution_session_id);
});

claim(28, async () => {
  const reversed = { start_time: epilog.end_time, end_time: epilog.start_time };
  const slow = await post(service.url, { ...failed, phase: 'slow', scope: { ...failed.scope, ...reversed } });
  assert.equal(slow.body.error?.type, 'no_attribution_available');
});

claim(29, async () => {
  const slow = await post(service.url, { ...exampleRequest, phase: 'slow' });
  assert.equal(slow.status, 200);
  assert.equal(slow.body.error?.type, 'no_attribution_available');
});

claim(30, async () => {
  const slow = await post(service.url, {
    ...failed,
    phase: 'slow',
    scope: { nodes: failed.scope.nodes, ranks: [] },
  });
  assert.deepEqual(slow.body.attributions, []);
  assert.deepEqual(slow.body.unattributed_targets, []);
});

claim(31, async () => {
  const slow = await post(service.url, { ...failed, phase: 'slow', scope: { ...failed.scope, ...epilog } });
  assert.equal(slow.status, 200);
  assert.equal(slow.body.error?.type, 'insufficient_telemetry');
});

claim(32, async () => {
  const answer = await post(service.url, { ...failed, timeout_ms: 0 });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.error?.type, 'timeout');
});

claim(33, async () => {
  const answer = await post(service.url, exampleRequest);
  assert.deepEqual(Object.keys(answer.body), [
    'schema_version',
    'service_id',
    'service_version',
    'request_id',
    'attribution_session_id',
    'attributions',
    'unattributed_targets',
    'error',
  ]);
});

claim(34, async () => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    components: { schemas: { Finding: { properties: { target: { discriminator: { mapping: object } } } } } };
  };
  const { mapping } = document.components.schemas.Finding.properties.target.discriminator;
  assert.deepEqual(Object.keys(mapping).sort(), ['AllJobResources', 'Node']);
});

claim(35, async () => {
  const [finding] = (await post(service.url, failed)).body.attributions;
  assert.equal(finding?.error_category, 'accelerator_gpu');
  assert.match(finding?.observed_at ?? '', /^2026-03-02T10:0/);
  assert.ok(
    finding?.evidence.some(item => item.message.includes('fallen off the bus') && item.reference !== null),
  );
});

claim(38, async () => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    components: { schemas: { ErrorType: { enum: string[] } } };
  };
  assert.deepEqual(document.components.schemas.ErrorType.enum, [
    'timeout',
    'insufficient_telemetry',
    'service_error',
    'no_attribution_available',
  ]);
});

claim(39, async () => {
  for (const body of [
    { ...exampleRequest, timeout_ms: -1 },
    { ...exampleRequest, phase: 'slow' },
    exampleRequest,
  ]) {
    const answer = await post(service.url, body);
    assert.equal(answer.status, 200);
    assert.notEqual(answer.body.error, null);
  }
});

claim(41, async () => {
  for (const body of ['', '[]', '{', 'null', '{"phase":3}'])
    assert.equal((await post(service.url, body)).status, 422);
});
