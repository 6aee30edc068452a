import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverageStatus, SourceCoverage } from '../../core/coverage.ts';
import { epilogProblem } from './epilog-problem.ts';

function health(...statuses: readonly CoverageStatus[]): SourceCoverage {
  return {
    source: 'logs',
    origin: 'health',
    window: null,
    query: null,
    filter: null,
    streams: 0,
    lines: 0,
    bytes: 0,
    groups: statuses.map(status => ({ status, nodes: 'node-01', count: 1, reason: null })),
    notYet: null,
    remarks: [],
  };
}

for (const status of ['not_configured', 'absent', 'failed', 'timed_out', 'unknown'] as const) {
  test(`health logs that are all ${status} were not read`, () => {
    assert.equal(epilogProblem([health(status)])?.type, 'insufficient_telemetry');
  });
}

test('without a health source nothing was read', () => {
  assert.equal(epilogProblem([{ ...health('complete'), origin: 'kernel' }])?.type, 'insufficient_telemetry');
});

test('one node whose health log could be read is enough', () => {
  assert.equal(epilogProblem([health('failed', 'silent')]), null);
});
