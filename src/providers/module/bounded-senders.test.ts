import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../../tests/support/fake-clock.ts';
import { markHeard, nothingUnheard } from './allowance.ts';
import { boundedSenders } from './bounded-senders.ts';
import type { FromThread } from './thread-messages.ts';

const many = 10_000;

function senders() {
  const clock = fakeClock();
  const unheard = nothingUnheard();
  const sent: FromThread[] = [];
  return { clock, unheard, sent, ...boundedSenders(message => sent.push(message), unheard, clock) };
}

const line = { kind: 'log', call: 1, level: 'info', fields: {}, message: 'x' } as const;

function report(at: number) {
  const coverage = Array.from({ length: at }, () => ({}));
  return { kind: 'report', call: 1, outcome: { coverage } } as unknown as Extract<
    FromThread,
    { kind: 'report' }
  >;
}

test('lines beyond what may be written are dropped and counted', async () => {
  const { log, sent, clock, unheard } = senders();
  for (let at = 0; at < many; at += 1) log(line);
  const first = sent.length;
  assert.ok(first >= 100 && first < 1_000, `${first} lines`);
  for (let at = 0; at < first; at += 1) markHeard(unheard, 'log');
  await clock.advance(1_000);
  assert.deepEqual(sent.slice(first), [{ kind: 'dropped', lines: many - first }]);
});

test('nothing more goes out while nobody hears, however long', async () => {
  const { log, sent, clock, unheard } = senders();
  for (let second = 0; second < 100; second += 1) {
    for (let at = 0; at < 100; at += 1) log(line);
    await clock.advance(1_000);
  }
  const stuck = sent.length;
  assert.ok(stuck < 1_000, `${stuck} messages`);
  markHeard(unheard, 'log');
  await clock.advance(1_000);
  assert.equal(sent.length, stuck + 1);
});

test('of many reports the latest arrives, and none of a call that is over', async () => {
  const { report: say, forget, sent, clock, unheard } = senders();
  for (let at = 1; at <= 100; at += 1) say(report(at));
  const first = sent.length;
  assert.ok(first < 50, `${first} reports`);
  for (let at = 0; at < first; at += 1) markHeard(unheard, 'report');
  await clock.advance(1_000);
  assert.deepEqual(sent.slice(first), [report(100)]);
  for (let at = 1; at <= 100; at += 1) say(report(at));
  const second = sent.length;
  forget(1);
  await clock.advance(10_000);
  assert.equal(sent.length, second);
});
