import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrationOf, levelOf, namedIn, pooledShortfalls } from '../../bench/evaluation/calibration.ts';
import { reliability } from '../../src/engine/conclude/reliability.ts';
import { judgedAs } from './judged.ts';

const at = (confidence: number) => ({ right: 0, of: 0, confidence });
const table = {
  'decisive-confirmed': at(0.99),
  decisive: at(0.98),
  'local-confirmed': at(0.97),
  local: at(0.9),
  reported: at(0.8),
  'job-text': at(0.6),
};

test('each confidence is compared with how often it was right', () => {
  const { levels, expectedError, numbered } = calibrationOf(
    [
      { level: 'job-text', right: true },
      { level: 'local', right: true },
      { level: 'local', right: false },
      { level: null, right: true },
    ],
    table,
  );
  assert.deepEqual(levels, [
    { level: 'local', confidence: 0.9, right: 1, of: 2 },
    { level: 'job-text', confidence: 0.6, right: 1, of: 1 },
  ]);
  assert.deepEqual(numbered, { right: 3, of: 4 });
  assert.ok(Math.abs((expectedError ?? 0) - (0.4 * 1 + 0.4 * 2) / 3) < 1e-9);
});

test('without a confidence there is no error of it', () => {
  assert.equal(calibrationOf([{ level: null, right: true }]).expectedError, null);
});

test('a number tells its level, and one of no level is refused', () => {
  assert.equal(levelOf(reliability.local.confidence), 'local');
  assert.equal(levelOf(null), null);
  assert.throws(() => levelOf(0.123456), /0\.123456/);
});

test('every named node counts, right where it is the one at fault', () => {
  const confidence = reliability.reported.confidence;
  const truth = { kind: 'node', node: 'node-03' } as const;
  const named = [
    { node: 'node-03', confidence },
    { node: 'node-01', confidence: null },
  ];
  assert.deepEqual(namedIn([judgedAs(truth, { named })]), [
    { level: 'reported', right: true },
    { level: null, right: false },
  ]);
});

test('several seeds together must fill four levels', () => {
  const levels = ['decisive-confirmed', 'decisive', 'local-confirmed', 'local'] as const;
  const named = levels.flatMap(level => Array.from({ length: 30 }, () => ({ level, right: true })));
  assert.deepEqual(pooledShortfalls(calibrationOf(named)), []);
  assert.match(
    pooledShortfalls(calibrationOf(named.slice(1))).join(),
    /^3 levels of confidence have 30 findings/,
  );
});
