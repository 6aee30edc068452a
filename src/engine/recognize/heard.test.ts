import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchHeader, wholeBatch } from '../../../tests/support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import { isSystemProgram } from './heard.ts';
import { createRecognizer } from './recognizer.ts';

for (const program of ['kernel', 'systemd-shutdown', 'nv-fabricmanager', 'nvidia-imex', 'NHC', 'ipmievd']) {
  test(`${program} speaks for its node`, () => assert.ok(isSystemProgram(program)));
}

for (const program of ['python3', 'bash', 'user1', 'train.sh', 'kernel-logger', 'sshd', 'not-the-kernel']) {
  test(`${program} does not`, () => assert.ok(!isSystemProgram(program)));
}

const corpus = corpusOf(
  ruleFile('lost', {
    match: lineMatch({ keywords: ['has fallen off'], pattern: 'has fallen off' }),
    examples: anyExamples,
  }),
);

function hits(line: string, format = 'auto'): number {
  const header = batchHeader({ origin: 'kernel', node: 'node-01', format });
  return createRecognizer(corpus).recognize(wholeBatch(`${line}\n`, header), []).length;
}

const said = 'NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.';

for (const line of [
  `Nov 30 12:03:41 node-01 kernel: ${said}`,
  `[  130.456250] ${said}`,
  `<4>[  130.456250] ${said}`,
  `kern  :warn  : [  130.456250] ${said}`,
  `[Mon Nov 30 12:03:41 2026] ${said}`,
  `[  130.456250] comm "python3": ${said}`,
  `<2>1 2026-11-30T12:03:41.123456+00:00 node-01 kernel - - - ${said}`,
  said,
]) {
  test(`the kernel is heard: ${line}`, () => assert.equal(hits(line), 1));
}

for (const line of [
  `Nov 30 12:03:41 node-01 python3[4711]: ${said}`,
  `2026-11-30T12:03:41.5+00:00 node-01 user1[9]: kernel: ${said}`,
  `Nov 30 12:03:41 node-01 systemd[2211]: Started ${said}`,
  `Nov 30 12:03:41 node-01 kernel[4711]: ${said}`,
  `<13>1 2026-11-30T12:03:41.123456+00:00 node-01 kernel - - - ${said}`,
  `<12>[  130.456250] ${said}`,
  `user  :notice: [  130.456250] ${said}`,
  `[  130.456250] python3[42]: ${said}`,
  `[Mon Nov 30 12:03:41 2026] systemd[1]: Started job: ${said}`,
  `[  130.456250] audit: type=1400 audit(1796126621.1:2): comm="${said}"`,
  '[  130.456250] xid_test: injecting "GPU has fallen off the bus"',
  "[  130.456250] xid_test: expects 'has fallen off the bus'",
]) {
  test(`what another process wrote is not: ${line}`, () => assert.equal(hits(line), 0));
}

test('in a syslog file a line without prefix continues another message', () => {
  for (const format of ['syslog', 'journal-short', 'shipped-json']) assert.equal(hits(said, format), 0);
});

test('where the beginning of a line is cut away, quotes before tell nothing', () => {
  assert.equal(hits(`[  130.456250] "${'step '.repeat(2_000)}" ${said}`), 1);
  assert.equal(hits(`[  130.456250] "x" "${'step '.repeat(2_000)}" ${said}`), 1);
});
