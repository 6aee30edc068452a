import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { calibrationOf } from '../../bench/evaluation/calibration.ts';
import { fitReliability, fitSeeds, lowerBound, measuredSeeds } from '../../bench/evaluation/fit.ts';
import { measureCases } from '../../bench/evaluation/measure-cases.ts';
import { type ProofLevel, proofLevels } from '../../src/engine/conclude/proof-level.ts';
import { reliability } from '../../src/engine/conclude/reliability.ts';

const home = join(import.meta.dirname, '../..');
const levels = Object.keys(proofLevels) as ProofLevel[];
const even = { right: 98, of: 100 };
const counts = {
  'decisive-confirmed': { right: 200, of: 200 },
  decisive: { right: 400, of: 400 },
  'local-confirmed': { right: 100, of: 100 },
  local: { right: 90, of: 100 },
  reported: even,
  'job-text': { right: 500, of: 500 },
};

test('the lower bound is that of Wilson, and wider where little is known', () => {
  // By hand: (0.9 + z²/200 - z·√(0.09/100 + z²/40000)) / (1 + z²/100) with z = 1.6449.
  assert.ok(Math.abs(lowerBound({ right: 90, of: 100 }) - 0.8388) < 0.001);
  assert.ok(lowerBound({ right: 9, of: 10 }) < lowerBound({ right: 90, of: 100 }));
  assert.ok(lowerBound({ right: 10, of: 10 }) < 0.8);
  assert.throws(() => lowerBound({ right: 0, of: 0 }), /cannot be fitted/);
});

test('fewer or worse findings make a lower confidence, and job text is capped', () => {
  const fitted = fitReliability(counts);
  assert.ok(fitted.local.confidence < fitted['local-confirmed'].confidence);
  assert.equal(fitted['job-text'].confidence, 0.9);
  for (const level of levels) assert.ok(fitted[level].confidence <= counts[level].right / counts[level].of);
});

test('proof that another source confirms is not less sure than the same without', () => {
  const fitted = fitReliability(counts);
  assert.ok(fitted['decisive-confirmed'].confidence > fitted.decisive.confidence);
});

test('no two levels share a number', () => {
  const same = fitReliability({ ...counts, local: even, reported: even, 'local-confirmed': even });
  assert.equal(new Set(levels.map(level => same[level].confidence)).size, levels.length);
});

test('the table in force is what its counts make', () => {
  assert.deepEqual(fitReliability(reliability), reliability);
});

test('seeds that confidence is fitted on are not those it is measured on', () => {
  assert.deepEqual(
    fitSeeds.filter(seed => measuredSeeds.includes(seed) || seed === '1'),
    [],
  );
});

test('the page and the README quote the numbers in force', () => {
  const page = readFileSync(join(home, 'docs/reference/reliability.md'), 'utf8');
  const readme = readFileSync(join(home, 'README.md'), 'utf8');
  for (const level of levels) {
    const { right, of, confidence } = reliability[level];
    assert.ok(page.includes(`| ${level} | ${confidence.toFixed(3)} | ${right} / ${of} |`), level);
    assert.ok(readme.includes(`| ${confidence.toFixed(3)} |`), level);
  }
});

test('on the recorded cases confidence is off by no more than on made incidents', async () => {
  const { expectedError, numbered } = calibrationOf(await measureCases());
  assert.ok(expectedError !== null && expectedError <= 0.05, String(expectedError));
  assert.ok(numbered.right / numbered.of >= 0.7, JSON.stringify(numbered));
});
