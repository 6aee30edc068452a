import assert from 'node:assert/strict';
import { test } from 'node:test';
import { example, parse, withMember } from './example-request.ts';

/** JSON texts that an integer member takes, and the integer they are. */
const integers: readonly (readonly [string, number])[] = [
  ['8000', 8000],
  ['"8000"', 8000],
  ['" 5 "', 5],
  ['"\\t5\\n"', 5],
  ['"+5"', 5],
  ['"-5"', -5],
  ['"-0"', 0],
  ['"1_000"', 1000],
  ['"1.0"', 1],
  ['"1_000.00"', 1000],
  ['"007"', 7],
  ['8000.0', 8000],
  ['1e3', 1000],
  ['-0.0', 0],
  ['true', 1],
  ['false', 0],
  ['99999999999999999999999999999999', Number.MAX_SAFE_INTEGER],
  ['-99999999999999999999999999999999', Number.MIN_SAFE_INTEGER],
  [`"${'0'.repeat(5000)}12"`, 12],
  [`"${' '.repeat(5000)}12"`, 12],
];

for (const [input, integer] of integers) {
  test(`timeout_ms ${input.length > 40 ? `${input.slice(0, 20)}...` : input} is ${integer}`, () => {
    const read = parse(JSON.stringify(example).replace('8000', input));
    assert.ok(read.ok, read.ok ? '' : read.body);
    assert.equal(read.request.timeoutMs, integer);
    assert.ok(!Object.is(read.request.timeoutMs, -0));
  });
}

test('a request becomes what the rest of the program works with', () => {
  const read = parse({
    ...example,
    scope: {
      nodes: ['node-02', '', 'node-01', 'node-02', ' node-01'],
      ranks: [3, '1', 3.0, true],
      start_time: '2026-03-02T09:00:00+01:00',
      end_time: 1_772_445_600,
    },
    workload_context: { workflow_id: 'run-17', attempt_index: '2', job_end_time: '2026-03-02T10:05:00Z' },
    phase: 'slow',
    continue_session: 's-1',
    user_id: 'user1',
  });
  assert.ok(read.ok, read.ok ? '' : read.body);
  assert.deepEqual(read.request, {
    schemaVersion: '0.1.0',
    workloadId: '4711',
    scope: {
      nodes: ['node-02', 'node-01', ' node-01'],
      ranks: [3, 1],
      startTime: 1_772_438_400_000_000_000n,
      endTime: 1_772_445_600_000_000_000n,
    },
    failureContext: { detectedAt: 1_772_445_851_000_000_000n, detectionSignal: 'application_error' },
    timeoutMs: 8000,
    workloadContext: { workflowId: 'run-17', attemptIndex: 2, jobEndTime: 1_772_445_900_000_000_000n },
    phase: 'slow',
    continueSession: 's-1',
    userId: 'user1',
  });
});

test('members left out have their defaults', () => {
  const { nodes: _, ranks: __, ...scope } = example.scope;
  const read = parse({ ...example, scope });
  assert.ok(read.ok);
  assert.deepEqual(read.request.scope, { nodes: [], ranks: [], startTime: null, endTime: null });
  assert.equal(read.request.continueSession, null);
  assert.equal(read.request.userId, '');
  assert.equal(read.request.workloadContext.jobEndTime, null);
});

for (const version of ['0.1.0', '0.2.0', '']) {
  test(`schema_version ${JSON.stringify(version)} is accepted`, () => {
    const read = parse(withMember('schema_version', version));
    assert.equal(read.ok && read.request.schemaVersion, version);
  });
}

test('a workflow id of 256 characters of two UTF-16 units each is accepted', () => {
  const id = '𝛼'.repeat(256);
  const read = parse(withMember('workload_context.workflow_id', id));
  assert.equal(read.ok && read.request.workloadContext.workflowId, id);
});

for (const id of ['run 17', 'run-17é', 'a', '訓練']) {
  test(`${id} is canonical`, () => {
    assert.ok(parse(withMember('workload_context.workflow_id', id)).ok);
  });
}
