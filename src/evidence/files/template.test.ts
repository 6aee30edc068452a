import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributionRequest } from '../../contract/index.ts';
import { expandTemplate, templateProblem } from './template.ts';

const request: AttributionRequest = {
  schemaVersion: '1',
  workloadId: '4711',
  scope: { nodes: [], ranks: [], startTime: null, endTime: null },
  failureContext: { detectedAt: 0n, detectionSignal: 'crash' },
  timeoutMs: 1000,
  workloadContext: { workflowId: 'run-a', attemptIndex: 2, jobEndTime: null },
  phase: 'fast',
  continueSession: null,
  userId: 'user1',
};
const nodes = [
  { name: 'node-01', aliases: ['10.0.0.1'] },
  { name: 'node-02', aliases: [] },
];

test('values of the request fill a template', () => {
  assert.deepEqual(expandTemplate('{workflow_id}/{workload_id}_{attempt_index}.out', request, nodes), {
    paths: [{ candidates: ['run-a/4711_2.out'], node: null }],
    refused: [],
  });
});

test('a node gives a path each, tried under every safe spelling', () => {
  assert.deepEqual(expandTemplate('{node}/dmesg.log', request, [...nodes, { name: '../x', aliases: [] }]), {
    paths: [
      { candidates: ['node-01/dmesg.log', '10.0.0.1/dmesg.log'], node: 'node-01' },
      { candidates: ['node-02/dmesg.log'], node: 'node-02' },
    ],
    refused: ['the names of 1 nodes cannot stand in a path of "{node}/dmesg.log"'],
  });
});

test('a value that could name another place makes no path', () => {
  for (const workloadId of ['..', '../etc', 'a/b', '.hidden', 'a..b', '', 'a\0b', '-rf', 'a b', 'ä']) {
    const { paths, refused } = expandTemplate('{workload_id}.out', { ...request, workloadId }, nodes);
    assert.deepEqual(paths, [], workloadId);
    assert.equal(refused.length, 1);
    assert.match(refused[0] ?? '', /workload_id cannot stand in a path/);
  }
});

test('templates that leave their root or name unknown values are refused with a remedy', () => {
  for (const good of ['{workload_id}', 'a/{node}.log', 'plain/file.log'])
    assert.equal(templateProblem(good), null);
  for (const bad of ['/etc/{node}', '../{node}', 'a//b', './a', '', '{user_id}', '{node', 'a}', '{}']) {
    assert.notEqual(templateProblem(bad), null, bad);
  }
});
