import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { sampleRequest } from '../../tests/support/sample-request.ts';
import type { CoverageGroup, SourceCoverage } from '../core/coverage.ts';
import type { Metrics } from '../core/ports.ts';
import { measureAnswer } from './measure-answer.ts';

/** What an answer adds, as `name{label=value} by`. */
function counted(change: Partial<Parameters<typeof measureAnswer>[1]>): readonly string[] {
  const found: string[] = [];
  const labelled = (labels: Readonly<Record<string, string>>): string =>
    Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join();
  const metrics: Metrics = {
    count: (name, labels) => found.push(`${name}{${labelled(labels)}}`),
    observe: (name, labels, value) => found.push(`${name}{${labelled(labels)}} ${value}`),
    set: () => assert.fail('an answer sets nothing'),
  };
  const answered = {
    outcome: outcome(),
    symptoms: [],
    isSessionSaved: true,
    elapsedMs: 250,
    mode: 'live' as const,
    ...change,
  };
  measureAnswer(metrics, { request: sampleRequest(), ...answered });
  return found.map(text => text.replace(/^attribution_/, ''));
}

const group = (status: CoverageGroup['status']): CoverageGroup => ({
  status,
  nodes: '',
  count: 1,
  reason: null,
});

function source(name: string, ...statuses: readonly CoverageGroup['status'][]): SourceCoverage {
  return {
    source: name,
    origin: 'kernel',
    window: null,
    query: null,
    filter: null,
    streams: 0,
    lines: 0,
    bytes: 0,
    groups: statuses.map(group),
    notYet: null,
    remarks: [],
  };
}

test('an answer that names a node', () => {
  assert.deepEqual(counted({ outcome: outcome({ findings: [finding()] }) }), [
    'requests_total{phase=fast,outcome=attributed,mode=live}',
    'request_duration_seconds{phase=fast} 0.25',
    'verdicts_total{target=Node,category=accelerator_gpu,mode=live}',
  ]);
});

test('a source counts once, by what is worst of it', () => {
  const coverage = [
    source('logs', 'complete', 'truncated'),
    source('logs', 'silent'),
    source('metrics', 'complete', 'failed'),
  ];
  assert.deepEqual(counted({ outcome: outcome({ coverage }) }).slice(2), [
    'source_requests_total{source=logs,outcome=truncated}',
    'source_truncated_total{source=logs}',
    'source_requests_total{source=metrics,outcome=failed}',
  ]);
});

test('a session that was not saved and a schema that is not ours', () => {
  const request = { ...sampleRequest(), schemaVersion: '9.9.9' };
  assert.deepEqual(counted({ request, isSessionSaved: false }).slice(2), [
    'foreign_schema_versions_total{}',
    'sessions_unsaved_total{}',
  ]);
});
