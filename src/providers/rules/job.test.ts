import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributionRequest } from '../../contract/index.ts';
import type { Located } from '../../core/ports.ts';
import { jobFacts } from './job.ts';

function request(nodes: readonly string[], jobEndTime: bigint | null = null): AttributionRequest {
  return {
    schemaVersion: '0.1.0',
    workloadId: '12345',
    scope: { nodes, ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt: 100n, detectionSignal: 'crash' },
    timeoutMs: 1000,
    workloadContext: { workflowId: 'w', attemptIndex: 0, jobEndTime },
    phase: 'fast',
    continueSession: null,
    userId: '',
  };
}

const scheduler: Located = {
  source: 'logs',
  nodes: [
    { name: 'node-01', aliases: ['10.0.0.1'] },
    { name: 'node-02', aliases: ['10.0.0.2'] },
  ],
  nodesFrom: 'scheduler',
  jobStart: 10n,
  jobEnd: 90n,
  jobLastStamp: null,
  said: 'nodes and times from scheduler text',
};

test('without scope the scheduler tells the nodes, and that is said', () => {
  const facts = jobFacts(request([]), [scheduler]);
  assert.deepEqual(
    facts.nodes.map(node => node.name),
    ['node-01', 'node-02'],
  );
  assert.equal(facts.scopeGiven, false);
  assert.deepEqual(facts.said, ['nodes and times from scheduler text']);
});

test("the scheduler's list counts before the nodes that logs are about, whatever the order of sources", () => {
  const guess: Located = {
    source: 'files',
    nodes: ['node-01', 'node-77'].map(name => ({ name, aliases: [] })),
    nodesFrom: 'evidence',
    jobStart: null,
    jobEnd: null,
    jobLastStamp: null,
    said: 'nodes are those that files are named after',
  };
  for (const located of [
    [guess, scheduler],
    [scheduler, guess],
  ]) {
    const facts = jobFacts(request([]), located);
    assert.deepEqual(
      facts.nodes.map(node => node.name),
      ['node-01', 'node-02'],
    );
    assert.deepEqual(facts.said, ['nodes and times from scheduler text']);
  }
  assert.deepEqual(
    jobFacts(request([]), [guess]).nodes.map(node => node.name),
    ['node-01', 'node-77'],
  );
  const mute: Located = { ...scheduler, nodes: [] };
  assert.deepEqual(jobFacts(request([]), [mute, guess]).nodes, guess.nodes);
});

test('a scope decides the spelling and takes aliases from what was located', () => {
  const facts = jobFacts(request(['node-02.example']), [scheduler]);
  assert.deepEqual(facts.nodes, [{ name: 'node-02.example', aliases: ['10.0.0.2', 'node-02'] }]);
  assert.equal(facts.scopeGiven, true);
});

test('the end of the job as the request gives it wins', () => {
  assert.equal(jobFacts(request([], 95n), [scheduler]).jobEnd, 95n);
  assert.equal(jobFacts(request([]), [scheduler]).jobEnd, 90n);
  assert.equal(jobFacts(request([]), []).jobEnd, null);
});

test('an alias that two nodes of the scope could own goes to none', () => {
  const located: Located = { ...scheduler, nodes: [{ name: 'node-01', aliases: ['node-02'] }] };
  const facts = jobFacts(request(['node-01', 'node-02']), [located]);
  assert.deepEqual(
    facts.nodes.map(node => node.aliases),
    [[], []],
  );
});
