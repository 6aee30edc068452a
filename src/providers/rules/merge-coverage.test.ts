import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverageGroup, SourceCoverage } from '../../core/coverage.ts';
import { mergeCoverage, unreadNeeds } from './merge-coverage.ts';

function group(status: CoverageGroup['status'], nodes: string, count: number): CoverageGroup {
  return { status, nodes, count, reason: null };
}

function coverage(
  source: string,
  groups: readonly CoverageGroup[],
  more: Partial<SourceCoverage> = {},
): SourceCoverage {
  return {
    source,
    origin: 'kernel',
    window: { from: 0n, to: 10n },
    query: null,
    filter: null,
    streams: 1,
    lines: 5,
    bytes: 100,
    groups,
    notYet: null,
    remarks: [],
    ...more,
  };
}

test('only what was not complete is needed again', () => {
  const needs = unreadNeeds([
    coverage('logs', [
      group('complete', 'node-[01-03]', 3),
      group('silent', 'node-04', 1),
      group('failed', 'node-05', 1),
    ]),
    coverage('whole', [group('complete', 'node-01', 1)]),
  ]);
  assert.deepEqual(needs, [{ source: 'logs', nodes: ['node-04', 'node-05'] }]);
});

test('a source that failed as a whole, or whose window lay ahead, is needed whole', () => {
  assert.deepEqual(unreadNeeds([coverage('logs', [group('failed', '', 0)])]), [{ source: 'logs', nodes: [] }]);
  const ahead = coverage('logs', [group('complete', 'node-01', 1)], { notYet: { from: 5n, to: 10n } });
  assert.deepEqual(unreadNeeds([ahead]), [{ source: 'logs', nodes: [] }]);
});

test('a later read fills what the earlier one missed and does not lose what it had', () => {
  const merged = mergeCoverage(
    [coverage('logs', [group('complete', 'node-[01-02]', 2), group('silent', 'node-03', 1)])],
    [coverage('logs', [group('complete', 'node-03', 1)], { window: { from: 5n, to: 20n }, remarks: ['late'] })],
  );
  assert.deepEqual(merged[0]?.groups, [group('complete', 'node-[01-03]', 3)]);
  assert.deepEqual(merged[0]?.window, { from: 0n, to: 20n });
  assert.deepEqual(merged[0]?.remarks, ['late']);
});

test('a later failure does not make a complete node unread', () => {
  const merged = mergeCoverage(
    [coverage('logs', [group('complete', 'node-01', 1)])],
    [coverage('logs', [group('failed', 'node-01', 1)])],
  );
  assert.deepEqual(merged[0]?.groups, [group('complete', 'node-01', 1)]);
});

test('origins of one source are apart', () => {
  const merged = mergeCoverage([coverage('logs', [])], [coverage('logs', [], { origin: 'job' })]);
  assert.deepEqual(
    merged.map(entry => entry.origin),
    ['kernel', 'job'],
  );
});
