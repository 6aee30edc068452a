import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry, AuditLimits, AuditPlace, AuditStore } from '../../src/core/audit.ts';
import { minute } from '../../src/core/time.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';

interface AuditUnderTest {
  readonly store: AuditStore;
  close(): Promise<void>;
}

export type OpenAudit = (clock: FakeClock, limits: AuditLimits) => Promise<AuditUnderTest>;

export function auditEntry(clock: FakeClock, change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    requestId: 'request-1',
    sessionId: 'session-1',
    workloadId: '12345',
    at: clock.now(),
    body: '{"answer":{"attributions":[]}}',
    ...change,
  };
}

const dayMs = 24 * 3600 * 1000;
export const auditLimits: AuditLimits = { keptNanos: 400n * 24n * 60n * minute, bytes: 1024 * 1024 };

/** What every store of answers promises; run from each one's own test file. */
export function auditStoreSuite(name: string, open: OpenAudit): void {
  function check(
    claim: string,
    run: (store: AuditStore, clock: FakeClock) => Promise<void>,
    limits: AuditLimits = auditLimits,
  ): void {
    test(`${name}: ${claim}`, async () => {
      const clock = fakeClock();
      const opened = await open(clock, limits);
      try {
        await run(opened.store, clock);
      } finally {
        await opened.close();
      }
    });
  }

  check(
    'an answer comes back as it was recorded, by request, by session and by workload',
    async (store, clock) => {
      const entry = auditEntry(clock, { body: JSON.stringify({ text: "é \u0000 ' \ud83d\ude80" }) });
      await store.record(entry);
      for (const id of ['request-1', 'session-1', '12345']) assert.deepEqual(await store.find(id, 10), [entry]);
      for (const id of ['', 'request-2', "x' OR 1=1 --", '%']) assert.deepEqual(await store.find(id, 10), []);
    },
  );

  check('ids of any text and length are found whole', async (store, clock) => {
    const odd = `\u0000 \u0001 \u00010 ${'x'.repeat(10_000)}`;
    const entry = auditEntry(clock, { requestId: odd, sessionId: odd, workloadId: odd });
    await store.record(entry);
    assert.deepEqual(await store.find(odd, 10), [entry]);
    assert.deepEqual(await store.find(`${odd}x`, 10), []);
  });

  check('the newest come first, up to a limit; of one moment the one recorded last', async (store, clock) => {
    const entries: AuditEntry[] = [];
    for (const requestId of ['a', 'b', 'c', 'd']) {
      entries.push(auditEntry(clock, { requestId }));
      if (requestId !== 'a') await clock.advance(1);
    }
    for (const entry of entries) await store.record(entry);
    const found = await store.find('session-1', 3);
    assert.deepEqual(
      found.map(({ requestId }) => requestId),
      ['d', 'c', 'b'],
    );
  });

  check(
    'requests of one id are kept side by side: none replaces what was said before',
    async (store, clock) => {
      await store.record(auditEntry(clock, { body: '1' }));
      await store.record(auditEntry(clock, { body: '2', sessionId: null }));
      assert.deepEqual(
        (await store.find('request-1', 10)).map(({ body, sessionId }) => [body, sessionId]),
        [
          ['2', null],
          ['1', 'session-1'],
        ],
      );
    },
  );

  check('pages follow time from a moment on, each entry once, also of one moment', async (store, clock) => {
    const start = clock.now();
    for (const requestId of ['a', 'b', 'c', 'd', 'e']) {
      await store.record(auditEntry(clock, { requestId }));
      if (requestId === 'a' || requestId === 'd') await clock.advance(1);
    }
    const seen: string[] = [];
    let place: AuditPlace | null = { at: start + 1n, id: 0n };
    while (place !== null) {
      const { entries, next } = await store.page(place, 2);
      assert.ok(entries.length <= 2);
      seen.push(...entries.map(({ requestId }) => requestId));
      place = next;
    }
    assert.deepEqual(seen, ['b', 'c', 'd', 'e']);
    const whole = await store.page({ at: start, id: 0n }, 10);
    assert.deepEqual(whole.entries[0], auditEntry(clock, { requestId: 'a', at: start }));
    assert.equal(whole.entries.length, 5);
  });

  check('answers are forgotten after 400 days', async (store, clock) => {
    await store.record(auditEntry(clock));
    await clock.advance(400 * dayMs - 1);
    assert.equal((await store.find('request-1', 10)).length, 1);
    await clock.advance(1);
    assert.equal((await store.find('request-1', 10)).length, 0);
    assert.deepEqual(await store.page({ at: 0n, id: 0n }, 10), { entries: [], next: null });
  });

  check(
    'beyond the size limit the oldest are forgotten, and the newest stay',
    async (store, clock) => {
      for (let at = 0; at < 60; at += 1) {
        await clock.advance(1);
        await store.record(auditEntry(clock, { requestId: `r-${at}`, body: incompressible(1_000, at) }));
      }
      const kept = (await store.find('session-1', 100)).map(({ requestId }) => requestId);
      assert.ok(kept.length >= 5 && kept.length <= 20, `${kept.length} kept`);
      assert.deepEqual(
        kept,
        kept.map((_, at) => `r-${59 - at}`),
      );
    },
    { ...auditLimits, bytes: 16_384 },
  );
}

/** Text that keeps about its size when it is compressed: letters by a small generator. */
function incompressible(length: number, seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(33 + ((state >>> 16) % 90));
  }).join('');
}
