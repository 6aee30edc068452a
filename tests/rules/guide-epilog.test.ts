import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exampleRunner } from '../../src/engine/corpus/run-example.ts';
import { corpusOf, shippedRuleFiles } from '../support/rule-files.ts';
import { temporaryFolder } from '../support/service.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/guides/epilog-health-checks.md'), 'utf8');
const script = /```sh\n(#!\/bin\/sh\n.*?)```/s.exec(guide)?.[1] ?? '';
const corpus = corpusOf(...shippedRuleFiles());
const runner = exampleRunner(corpus);
const anyRule = corpus.rules.find(({ match }) => match.kind === 'line');

/** What the script logs where these are the tools of the machine: each a shell script, or missing. */
function logged(context: TestContext, tools: Readonly<Record<string, string>>): readonly string[] {
  const folder = temporaryFolder(context);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const stubs = { logger: 'shift 3; echo "$*"', ...tools };
  for (const [name, text] of Object.entries(stubs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const output = execFileSync('/bin/sh', ['-c', script.replaceAll('/run/', `${folder}/`)], {
    env: { PATH: `${bin}:/usr/bin:/bin`, SLURM_JOB_ID: '42', LC_ALL: 'C' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return output.trimEnd().split('\n');
}

function named(lines: readonly string[]): readonly string[] {
  assert.ok(anyRule !== undefined);
  const naming = new Set(corpus.rules.filter(({ blames }) => blames === 'node').map(({ id }) => id));
  const texts = lines.map(line => `2026-03-04T11:30:11+00:00 node-03 epilog[7310]: ${line}`);
  return texts
    .flatMap(text => runner.run(anyRule, text, 'health'))
    .flatMap(({ rule }) => (naming.has(rule) ? [rule] : []));
}

const gpus = (count: number) => `for each in $(seq ${count}); do echo "GPU $each: a GPU"; done`;
const passes = 'echo "Pass"';

test('the script of the guide counts GPUs where its tool does', context => {
  const seven = logged(context, { 'nvidia-smi': gpus(7), dcgmi: passes });
  assert.deepEqual(seven, [
    'check gpu-count: FAIL (7 of 8)',
    'check dcgm-diag: PASS',
    'job 42: health checks finished, result FAIL',
  ]);
  assert.deepEqual(named(seven), ['health/gpu-count-low']);
  const eight = logged(context, { 'nvidia-smi': gpus(8), dcgmi: passes });
  assert.equal(eight.at(0), 'check gpu-count: PASS (8 of 8)');
  assert.equal(eight.at(-1), 'job 42: health checks finished, result PASS');
});

test('it names nobody where a tool is missing, fails or is killed', context => {
  const lacking = [
    {},
    { 'nvidia-smi': 'echo "no driver" >&2; exit 9', dcgmi: passes },
    { 'nvidia-smi': `${gpus(3)}; kill -9 $$`, dcgmi: 'kill -9 $$' },
    { 'nvidia-smi': 'exit 124', dcgmi: 'exit 124' },
    { 'nvidia-smi': 'exit 0', dcgmi: 'exit 126' },
  ];
  for (const tools of lacking) {
    const lines = logged(context, tools);
    assert.deepEqual(named(lines), [], lines.join('\n'));
    assert.match(lines.at(-1) ?? '', /health checks finished/);
  }
});
