import assert from 'node:assert/strict';
import { createAttributionClient, failureRequest, type Send } from '../../client/index.ts';
import { claim } from './claims.ts';

const request = failureRequest({
  workloadId: '12345',
  workflowId: 'training-example',
  attemptIndex: 0,
  nodes: ['worker-01'],
  detectedAt: new Date('2026-09-09T12:00:00Z'),
  detectionSignal: 'application_error',
  timeoutMs: 10_000,
});

claim(11, async context => {
  const calls: string[] = [];
  const counting: Send = async url => {
    calls.push(url);
    return new Response('{}');
  };
  context.mock.method(globalThis, 'fetch', counting);
  const result = await createAttributionClient({ mode: 'off' }).attribute(request);
  assert.equal(result.error, null);
  assert.deepEqual(calls, []);
  await createAttributionClient({ mode: 'on', url: 'http://127.0.0.1:8000' }).attribute(request);
  assert.deepEqual(calls, ['http://127.0.0.1:8000/v1/attribution']);
});

claim(12, async () => {
  const result = await createAttributionClient({ mode: 'off' }).attribute(request);
  assert.ok(result.error === null);
  assert.deepEqual(result.attributions, []);
  assert.deepEqual(result.unattributedTargets, []);
  assert.equal(result.attributionSessionId, null);
});

claim(13, async () => {
  const result = await createAttributionClient({ mode: 'off' }).attribute({ ...request, phase: 'slow' });
  assert.equal(result.answeredBy, null);
  assert.doesNotMatch(JSON.stringify(result), /worker-01|healthy|no fault/);
});
