import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchHeader } from '../../../tests/support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import type { BatchHeader } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import { sightingOfLine } from './sighting.ts';

const corpus = corpusOf(ruleFile('a', { match: lineMatch({}), examples: anyExamples }));
const [rule] = corpus.rules;
const instant: Instant = { nanos: null, plusMinus: 0n, basis: 'file_order', clock: 'c', tick: 1n };

function nodeOfLine(header: BatchHeader, host: string | null): string | null {
  assert.ok(rule !== undefined);
  const speaker = { host, pid: null, rank: null, task: null, gpu: null };
  const hit = { rule: 0, line: 1, text: 'x', captures: {}, instant, speaker };
  return sightingOfLine(header, rule, hit, () => null).observation.node;
}

const ownLog = (hostAlias: string | null): BatchHeader => ({
  ...batchHeader({ origin: 'kernel', node: 'node-02' }),
  hostAlias,
});

test("a line in a node's own log is of the node where its prefix names the node, nobody, or no host", () => {
  for (const host of ['node-02', 'NODE-02', 'node-02.cluster.example', 'localhost', '(none)', null]) {
    assert.equal(nodeOfLine(ownLog(null), host), 'node-02', String(host));
  }
});

test("a line in a node's own log whose prefix names another host is of that host", () => {
  for (const host of ['node-03', 'node-2', 'node-022', 'login01', '10.0.0.3', 'node-02-bmc']) {
    assert.equal(nodeOfLine(ownLog(null), host), host);
    assert.equal(nodeOfLine(ownLog('gpu-a'), host), host);
  }
});

test('what a node calls itself throughout its log is the node', () => {
  assert.equal(nodeOfLine(ownLog('ip-10-0-0-2'), 'ip-10-0-0-2.internal'), 'node-02');
  assert.equal(nodeOfLine(ownLog('ip-10-0-0-2'), 'node-02'), 'node-02');
});

test('where a source did not look, only a host of the same naming scheme is another', () => {
  const unlooked = batchHeader({ origin: 'kernel', node: 'node-02' });
  assert.equal(nodeOfLine(unlooked, 'node-03'), 'node-03');
  assert.equal(nodeOfLine(unlooked, 'node-03.cluster.example'), 'node-03.cluster.example');
  assert.equal(nodeOfLine(unlooked, 'ip-10-0-0-2'), 'node-02');
});

test('where a line names a process group, its own rank counts within that group and the prefix tells that of the job', () => {
  assert.ok(rule !== undefined);
  const rankOf = (captures: Readonly<Record<string, string>>, prefix: number | null): number | null => {
    const speaker = { host: null, pid: null, rank: prefix, task: null, gpu: null };
    const hit = { rule: 0, line: 1, text: 'x', captures, instant, speaker };
    return sightingOfLine(batchHeader({ origin: 'job' }), rule, hit, () => null).observation.rank;
  };
  // [rank15]:[E304 11:12:09.1 ...] [PG ID 2 PG GUID 5(TENSOR_MODEL_PARALLEL_GROUP) Rank 7] Watchdog caught ...
  assert.equal(rankOf({ rank: '7', group: '5' }, 15), 15);
  assert.equal(rankOf({ rank: '7', group: '0' }, null), 7);
  assert.equal(rankOf({ rank: '7' }, 15), 7);
});
