import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AttributionRequest } from './index.ts';
import { parseRequest, phases, renderRequest } from './index.ts';

const micros = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n }).map(value => value * 1000n);
const maybe = fc.option(micros, { nil: null });
const name = fc.stringMatching(/^[a-z0-9é-]{1,20}$/);

const plain = { noNullPrototype: true };
const request: fc.Arbitrary<AttributionRequest> = fc.record(
  {
    schemaVersion: name,
    workloadId: name,
    scope: fc.record(
      {
        nodes: fc.uniqueArray(name, { maxLength: 5 }),
        ranks: fc.uniqueArray(fc.nat(100_000), { maxLength: 5 }),
        startTime: maybe,
        endTime: maybe,
      },
      plain,
    ),
    failureContext: fc.record({ detectedAt: micros, detectionSignal: fc.string() }, plain),
    timeoutMs: fc.integer(),
    workloadContext: fc.record({ workflowId: name, attemptIndex: fc.nat(), jobEndTime: maybe }, plain),
    phase: fc.constantFrom(...phases),
    continueSession: fc.option(name, { nil: null }),
    userId: fc.oneof(fc.constant(''), name),
  },
  plain,
);

test('a rendered request reads back as the same request', () => {
  fc.assert(
    fc.property(request, original => {
      const body = new TextEncoder().encode(renderRequest(original));
      const read = parseRequest(body, 'application/json', { naiveDatetimes: 'refuse', echoInput: true });
      assert.deepEqual(read, { ok: true, request: original });
    }),
  );
});

test('members without a value are left out', () => {
  const [original] = fc.sample(request, 1);
  assert.ok(original);
  const body: unknown = JSON.parse(
    renderRequest({
      ...original,
      scope: { nodes: [], ranks: [], startTime: null, endTime: null },
      continueSession: null,
      userId: '',
    }),
  );
  assert.deepEqual((body as { scope: unknown }).scope, { nodes: [], ranks: [] });
  assert.ok(!('continue_session' in (body as object)) && !('user_id' in (body as object)));
});
