import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributionRequest } from '../../contract/index.ts';
import { minute } from '../../core/time.ts';
import { defaultWindowSettings, epilogWindow, fastWindow, momentOf } from './windows.ts';

const noon = 1_788_955_200_000_000_000n;

function request(overrides: {
  phase?: 'fast' | 'slow';
  start?: bigint;
  end?: bigint;
  detected?: bigint;
  jobEnd?: bigint;
}): AttributionRequest {
  return {
    schemaVersion: '0.1.0',
    workloadId: '12345',
    scope: { nodes: [], ranks: [], startTime: overrides.start ?? null, endTime: overrides.end ?? null },
    failureContext: { detectedAt: overrides.detected ?? noon, detectionSignal: 'crash' },
    timeoutMs: 10_000,
    workloadContext: { workflowId: 'w', attemptIndex: 0, jobEndTime: overrides.jobEnd ?? null },
    phase: overrides.phase ?? 'fast',
    continueSession: null,
    userId: '',
  };
}

test('the fast window reaches from 15 minutes before the earliest time to 2 after the latest', () => {
  const { past, notYet } = fastWindow(
    request({ end: noon - 3n * minute, jobEnd: noon + minute }),
    noon + 60n * minute,
    defaultWindowSettings,
  );
  assert.deepEqual(past, { from: noon - 18n * minute, to: noon + 3n * minute });
  assert.equal(notYet, null);
});

test('the fast window begins at scope.start_time where that is later', () => {
  const { past } = fastWindow(
    request({ start: noon - 5n * minute }),
    noon + 60n * minute,
    defaultWindowSettings,
  );
  assert.equal(past.from, noon - 5n * minute);
});

test('the fast read of a slow request takes nothing from its scope, which is the epilog window', () => {
  const { past } = fastWindow(
    request({ phase: 'slow', start: noon + minute, end: noon + 5n * minute }),
    noon + 60n * minute,
    defaultWindowSettings,
  );
  assert.deepEqual(past, { from: noon - 15n * minute, to: noon + 2n * minute });
});

test('a start time after the whole window does not empty it', () => {
  const { past } = fastWindow(
    request({ start: noon + 30n * minute }),
    noon + 60n * minute,
    defaultWindowSettings,
  );
  assert.equal(past.from, noon - 15n * minute);
});

test('the part still to come is separate', () => {
  const { past, notYet } = fastWindow(request({}), noon + minute, defaultWindowSettings);
  assert.deepEqual(past, { from: noon - 15n * minute, to: noon + minute });
  assert.deepEqual(notYet, { from: noon + minute, to: noon + 2n * minute });
});

test('a detection in the future leaves an empty past', () => {
  const { past, notYet } = fastWindow(request({ detected: noon + 100n * minute }), noon, defaultWindowSettings);
  assert.equal(past.from, past.to);
  assert.notEqual(notYet, null);
});

test('a slow request has its scope as epilog window, and only that', () => {
  const slow = request({ phase: 'slow', start: noon + 10n * minute, end: noon + 20n * minute });
  assert.deepEqual(epilogWindow(slow), { from: noon + 10n * minute, to: noon + 20n * minute });
  assert.equal(momentOf(slow), noon);
});

for (const [name, overrides] of [
  ['missing', {}],
  ['half missing', { start: noon }],
  ['empty', { start: noon, end: noon }],
  ['reversed', { start: noon, end: noon - 1n }],
] as const) {
  test(`an epilog window that is ${name} is none`, () => {
    assert.equal(epilogWindow(request({ phase: 'slow', ...overrides })), null);
  });
}
