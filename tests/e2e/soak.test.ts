import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller, Came } from '../../bench/load/caller.ts';
import { drive } from '../../bench/load/drive.ts';
import { findRate } from '../../bench/load/find-rate.ts';
import { runSoak } from '../../bench/load/run-soak.ts';
import { middleOf } from '../../bench/load/watch-process.ts';

/** The whole of it, with bars on time and memory, is `make soak`. */
const minutes = 1 / 3;

test('callers at once get answers of their own sessions, or a documented refusal, and leave nothing open', async () => {
  const report = await runSoak({
    callers: 24,
    minutes,
    rate: 12,
    warmUpSeconds: 2,
    pace: 'random',
    tell: () => {},
  });
  assert.deepEqual(report.wrong, []);
  assert.deepEqual(report.failed, []);
  assert.ok(report.steady.milliseconds.length > 0, 'no call was answered');
  assert.ok(report.aliveMs.length > 0, 'no sign of life was asked for');
  assert.equal(report.exitCode, 0);
  assert.ok(report.descriptors.after <= report.descriptors.before + 2, JSON.stringify(report.descriptors));
});

test('what callers meet is counted, each fault in words', async () => {
  const meets: readonly Came[] = [
    { kind: 'answered', milliseconds: 1, wrong: null },
    { kind: 'answered', milliseconds: 1, wrong: 'names another' },
    { kind: 'overload' },
    { kind: 'failed', says: 'HTTP 500' },
  ];
  const callers = meets.map((came): Caller => ({ call: async () => came, close() {} }));
  const tally = await drive(callers, 200, 0.3, 'random');
  assert.ok(tally.milliseconds.length > 0 && tally.overloads > 0);
  assert.deepEqual([...new Set(tally.wrong)], ['names another']);
  assert.deepEqual([...new Set(tally.failed)], ['HTTP 500']);
});

test('a call that finds no caller free waits, and its wait is counted', async () => {
  const slow: Caller = {
    async call() {
      await new Promise(resolve => setTimeout(resolve, 50));
      return { kind: 'answered', milliseconds: 50, wrong: null };
    },
    close() {},
  };
  const { milliseconds } = await drive([slow], 100, 0.5, 'even');
  // Ten times what one caller can bear.
  assert.ok((milliseconds.at(-1) ?? 0) > 100, `the longest is ${milliseconds.at(-1)} ms`);
});

test('the highest rate that is borne is found to a tenth', async () => {
  for (const highest of [10, 37, 55, 81, 640, 1_000]) {
    const tried: number[] = [];
    const bear = async (rate: number) => {
      tried.push(rate);
      return { overloads: rate > highest ? 1 : 0, late: 0 };
    };
    const found = await findRate(bear, { from: 10, most: 5_000 });
    assert.ok(found <= highest && found >= highest / 1.1 - 1, `${found} for ${highest}`);
    assert.ok(tried.length <= 14, `${tried.length} steps`);
  }
});

test('growth is told between the middles of two shares', () => {
  const held = [1, 2, 3, 100, 10, 11, 12].map((residentMib, at) => ({ at, residentMib, descriptors: at }));
  assert.deepEqual(middleOf(held, 0, 0.4), { residentMib: 2, descriptors: 1 });
  assert.deepEqual(middleOf(held, 0.6, 1), { residentMib: 11, descriptors: 5 });
});
