import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchHeader, wholeBatch } from '../../../tests/support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import { createRecognizer } from './recognizer.ts';
import { speaksForNode } from './system-programs.ts';

for (const program of [
  null,
  'kernel',
  'systemd-shutdown',
  'nv-fabricmanager',
  'nvidia-imex',
  'NHC',
  'ipmievd',
]) {
  test(`${program ?? 'raw kernel text'} speaks for its node`, () => assert.ok(speaksForNode(program)));
}

for (const program of ['python3', 'bash', 'user1', 'train.sh', 'kernel-logger', 'sshd', 'not-the-kernel']) {
  test(`${program} does not`, () => assert.ok(!speaksForNode(program)));
}

const corpus = corpusOf(
  ruleFile('lost', {
    match: lineMatch({ keywords: ['has fallen off'], pattern: 'has fallen off' }),
    examples: anyExamples,
  }),
);

function hits(line: string): number {
  const header = batchHeader({ origin: 'kernel', node: 'node-01' });
  return createRecognizer(corpus).recognize(wholeBatch(`${line}\n`, header), []).length;
}

test('what a user process writes into the log of its node is no word of the kernel', () => {
  const said = 'NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.';
  assert.equal(hits(`Nov 30 12:03:41 node-01 kernel: ${said}`), 1);
  assert.equal(hits(`Nov 30 12:03:41 node-01 python3[4711]: ${said}`), 0);
  assert.equal(hits(`2026-11-30T12:03:41.5+00:00 node-01 user1[9]: kernel: ${said}`), 0);
  assert.equal(hits(`[  130.456250] ${said}`), 1);
});
