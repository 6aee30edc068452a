import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shortfalls } from '../../bench/evaluation/bars.ts';
import { evaluateSeed } from '../../bench/evaluation/evaluate-seed.ts';
import { reportOf } from '../../bench/evaluation/report.ts';

/** As `make eval CHECK=1`: the seed of the page, in full. */
const evaluation = await evaluateSeed('1');

test('the seed of the page is below no bar', () => {
  assert.deepEqual(shortfalls(evaluation), []);
});

test('the page says what is measured today', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/evaluation.md'), 'utf8');
  const lines = page.split('\n');
  const drift = reportOf(evaluation)
    .split('\n')
    .filter((line, at) => line !== lines[at]);
  assert.deepEqual(drift, [], 'run make eval');
});
