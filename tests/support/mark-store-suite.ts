import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mark, MarkStore } from '../../src/core/marks.ts';
import { minute, type Nanos } from '../../src/core/time.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';

interface MarksUnderTest {
  readonly store: MarkStore;
  close(): Promise<void>;
}

const day = 24n * 60n * minute;
const dayMs = 24 * 3600 * 1000;

/** What every store of marks promises; run from each one's own test file. */
export function markStoreSuite(
  name: string,
  open: (clock: FakeClock, keptNanos: Nanos) => Promise<MarksUnderTest>,
): void {
  function check(claim: string, run: (store: MarkStore, clock: FakeClock) => Promise<void>): void {
    test(`${name}: ${claim}`, async () => {
      const clock = fakeClock();
      const opened = await open(clock, 400n * day);
      try {
        await run(opened.store, clock);
      } finally {
        await opened.close();
      }
    });
  }
  const mark = (clock: FakeClock, change: Partial<Mark> = {}): Mark => ({
    about: 'session-1',
    truth: { kind: 'nodes', nodes: ['node-03', "node 04 ' \u00e9 \ud83d\ude80"] },
    note: "card swapped\n' \u0001",
    at: clock.now(),
    ...change,
  });

  check('a mark comes back as it was recorded, in the order of times', async (store, clock) => {
    const first = mark(clock);
    await clock.advance(1);
    const second = mark(clock, { about: 'request-1', truth: { kind: 'application' }, note: '' });
    await store.record(second);
    await store.record(first);
    assert.deepEqual(await store.all(), [first, second]);
  });

  check('the last mark of a failure counts', async (store, clock) => {
    await store.record(mark(clock));
    await clock.advance(1);
    const last = mark(clock, { truth: { kind: 'unknown' }, note: 'not reproduced' });
    await store.record(last);
    assert.deepEqual(await store.all(), [last]);
  });

  check('marks are forgotten as answers are', async (store, clock) => {
    await store.record(mark(clock));
    await clock.advance(400 * dayMs - 1);
    assert.equal((await store.all()).length, 1);
    await clock.advance(1);
    assert.deepEqual(await store.all(), []);
    await store.record(mark(clock, { about: 'session-2' }));
    assert.deepEqual(
      (await store.all()).map(({ about }) => about),
      ['session-2'],
    );
  });
}
