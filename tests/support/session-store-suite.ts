import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { AppendResult, SessionStore } from '../../src/core/ports.ts';
import type { SessionBinding } from '../../src/core/session.ts';
import { minute } from '../../src/core/time.ts';
import { defaultSessionLimits, type SessionLimits } from '../../src/sessions/session-limits.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { type RememberedLog, rememberedLog } from './remembered-log.ts';
import { sampleAnswer, sampleEvidence, sampleOutcome, sampleSession } from './sample-session.ts';

interface StoreUnderTest {
  readonly store: SessionStore;
  close(): Promise<void>;
}

export type OpenStore = (
  clock: FakeClock,
  log: RememberedLog,
  limits: SessionLimits,
) => Promise<StoreUnderTest>;

const dayMs = 24 * 3600 * 1000;

async function absorbed(store: SessionStore, mark: number): Promise<void> {
  const session = await store.get('a', sampleSession('a').binding);
  assert.ok(session);
  assert.equal(await store.update(session, mark), 'updated');
}

/** What every session store promises; run from each store's own test file. */
export function sessionStoreSuite(name: string, open: OpenStore): void {
  function check(
    claim: string,
    run: (store: SessionStore, clock: FakeClock, log: RememberedLog) => Promise<void>,
    limits: Partial<SessionLimits> = {},
  ) {
    test(`${name}: ${claim}`, async () => {
      const clock = fakeClock();
      const log = rememberedLog();
      const opened = await open(clock, log, { ...defaultSessionLimits, ...limits });
      try {
        await run(opened.store, clock, log);
      } finally {
        await opened.close();
      }
    });
  }

  check('a session comes back exactly as it was opened', async store => {
    const session = sampleSession('a', { answers: [sampleAnswer('r1')] });
    await store.open(session);
    assert.deepEqual(await store.get('a', session.binding), session);
  });

  check('an id that was never opened is unknown', async store => {
    assert.equal(await store.get('never', sampleSession('a').binding), null);
    assert.equal(await store.update(sampleSession('never')), 'unknown');
  });

  check('an id is opened once', async store => {
    await store.open(sampleSession('a'));
    await assert.rejects(store.open(sampleSession('a')));
  });

  check('another workload, workflow, attempt or caller makes an id unknown', async store => {
    const { binding } = sampleSession('a');
    const owned: SessionBinding = { ...binding, caller: 'recovery' };
    await store.open(sampleSession('a', { binding: owned }));
    const foreign: readonly SessionBinding[] = [
      { ...owned, workloadId: '12346' },
      { ...owned, workflowId: 'other' },
      { ...owned, attemptIndex: 1 },
      { ...owned, caller: 'someone' },
      { ...owned, caller: null },
    ];
    for (const other of foreign) assert.equal(await store.get('a', other), null);
    assert.notEqual(await store.get('a', owned), null);
  });

  check('an update replaces the session once and counts its version up', async store => {
    const session = sampleSession('a');
    await store.open(session);
    const changed = { ...session, answers: [sampleAnswer('r1')] };
    assert.equal(await store.update(changed), 'updated');
    assert.deepEqual(await store.get('a', session.binding), { ...changed, version: 1 });
    assert.equal(await store.update(changed), 'conflict');
  });

  check(
    'an update asked for while its session is being opened comes after, however long that is',
    async store => {
      for (const [id, outcome] of [
        ['short', sampleOutcome()],
        ['long', incompressible(3_200_000)],
      ] as const) {
        const session = sampleSession(id, { answers: [sampleAnswer('r1', outcome)] });
        const opening = store.open(session);
        const changed = { ...session, answers: [sampleAnswer('r2')] };
        assert.deepEqual(await Promise.all([opening, store.update(changed)]), [undefined, 'updated']);
        assert.deepEqual(await store.get(id, session.binding), { ...changed, version: 1 });
      }
    },
  );

  check('of two updates made at once from one version, one wins', async store => {
    const session = sampleSession('a');
    await store.open(session);
    const results = await Promise.all(
      ['r1', 'r2'].map(id => store.update({ ...session, answers: [sampleAnswer(id)] })),
    );
    assert.deepEqual(results.toSorted(), ['conflict', 'updated']);
  });

  check('what is stored later changes nothing that was read before', async store => {
    const session = sampleSession('a', { answers: [sampleAnswer('r1')] });
    await store.open(session);
    const read = await store.get('a', session.binding);
    await store.update({ ...session, answers: [] });
    assert.deepEqual(read, session);
    assert.deepEqual((await store.get('a', session.binding))?.answers, []);
  });

  check('a session ends after 30 days', async (store, clock) => {
    const session = sampleSession('a', { createdAt: clock.now() });
    await store.open(session);
    await clock.advance(30 * dayMs - 1);
    assert.notEqual(await store.get('a', session.binding), null);
    await clock.advance(1);
    assert.equal(await store.get('a', session.binding), null);
    assert.equal(await store.update(session), 'unknown');
    assert.equal(await store.append('a', Uint8Array.of(1)), 'unknown');
  });

  check(
    'a session ends when its settings say',
    async (store, clock) => {
      const session = sampleSession('a', { createdAt: clock.now() });
      await store.open(session);
      await clock.advance(2 * dayMs - 1);
      assert.notEqual(await store.get('a', session.binding), null);
      await clock.advance(1);
      assert.equal(await store.get('a', session.binding), null);
    },
    { lifetimeNanos: 2n * 24n * 60n * minute },
  );

  check(
    'beyond the number of sessions the oldest give way',
    async (store, clock) => {
      const sessions = [];
      for (const id of ['a', 'b', 'c']) {
        await clock.advance(2 * 60_000);
        const session = sampleSession(id, { createdAt: clock.now() });
        await store.open(session);
        sessions.push(session);
      }
      const known = await Promise.all(sessions.map(({ id, binding }) => store.get(id, binding)));
      assert.deepEqual(
        known.map(session => session?.id),
        [undefined, 'b', 'c'],
      );
    },
    { sessions: 2 },
  );

  check(
    'beyond the number of answers the newest stay',
    async store => {
      const session = sampleSession('a', { answers: ['r1', 'r2', 'r3'].map(id => sampleAnswer(id)) });
      await store.open(session);
      const stored = await store.get('a', session.binding);
      assert.deepEqual(
        stored?.answers.map(({ requestId }) => requestId),
        ['r2', 'r3'],
      );
    },
    { answers: 2 },
  );

  check('ids of any text and length come back, zeros and marks included', async store => {
    const odd = `\u0000 \u0001 \u00010 \u00011 \ud83d\ude00 \\ '; DROP TABLE sessions; -- ${'x'.repeat(10_000)}`;
    const binding: SessionBinding = { workloadId: odd, workflowId: odd, attemptIndex: 7, caller: odd };
    const session = sampleSession('a', { binding });
    await store.open(session);
    assert.deepEqual(await store.get('a', binding), session);
    assert.equal(await store.get('a', { ...binding, workloadId: odd.replace('\u0000', '\u00010') }), null);
  });

  check('bytes pushed at once are all kept, and none is taken for absorbed unread', async store => {
    await store.open(sampleSession('a'));
    const pushes = Array.from({ length: 64 }, (_, at) => Uint8Array.of(at));
    const read = new Set<number>();
    let isPushing = true;
    const absorb = async (): Promise<void> => {
      for (;;) {
        const wasPushing = isPushing;
        const { chunks, mark } = await store.unread('a');
        for (const chunk of chunks) read.add(chunk[0] ?? -1);
        if (chunks.length > 0) await absorbed(store, mark);
        else if (!wasPushing) return;
      }
    };
    const absorbing = absorb();
    await Promise.all(pushes.map(bytes => store.append('a', bytes)));
    isPushing = false;
    await absorbing;
    assert.equal(read.size, pushes.length);
  });

  check('of two that absorb the same bytes one has to look again', async store => {
    const session = sampleSession('a');
    await store.open(session);
    await store.append('a', Uint8Array.of(1));
    const { mark } = await store.unread('a');
    await store.append('a', Uint8Array.of(2));
    const results = await Promise.all([store.update(session, mark), store.update(session, mark + 1)]);
    assert.deepEqual(results.toSorted(), ['conflict', 'updated']);
    const left = results[0] === 'updated' ? [[2]] : [];
    assert.deepEqual((await store.unread('a')).chunks.map(plain), left);
    assert.equal(await store.update(session, mark + 1), 'conflict');
    assert.deepEqual((await store.unread('a')).chunks.map(plain), left);
  });

  check('a removed session is unknown, and what was pushed to it is gone', async store => {
    const session = sampleSession('a');
    await store.open(session);
    await store.append('a', Uint8Array.of(1));
    await store.remove('a');
    assert.equal(await store.get('a', session.binding), null);
    assert.deepEqual((await store.unread('a')).chunks, []);
    assert.equal(await store.append('a', Uint8Array.of(1)), 'unknown');
    await store.remove('a');
  });

  check('pushed bytes are kept once per content and handed out oldest first', async store => {
    await store.open(sampleSession('a'));
    await store.open(sampleSession('b'));
    const pushes = [Uint8Array.of(2), Uint8Array.of(1), Uint8Array.of(2)];
    const kept: AppendResult[] = [];
    for (const bytes of pushes) kept.push(await store.append('a', bytes));
    assert.deepEqual(kept, ['appended', 'appended', 'repeated']);
    assert.equal(await store.append('b', Uint8Array.of(2)), 'appended');
    const { chunks } = await store.unread('a');
    assert.deepEqual(chunks.map(plain), [[2], [1]]);
  });

  check('unread bytes are handed out a few at a time where so many are asked for', async store => {
    await store.open(sampleSession('a'));
    for (const byte of [1, 2, 3]) await store.append('a', Uint8Array.of(byte));
    const first = await store.unread('a', 2);
    assert.deepEqual(first.chunks.map(plain), [[1], [2]]);
    await absorbed(store, first.mark);
    assert.deepEqual((await store.unread('a', 2)).chunks.map(plain), [[3]]);
  });

  check('bytes pushed to an unknown session are not kept', async store => {
    assert.equal(await store.append('never', Uint8Array.of(1)), 'unknown');
  });

  check('absorbed bytes are not handed out again, even when pushed again', async store => {
    await store.open(sampleSession('a'));
    await store.append('a', Uint8Array.of(1));
    const { mark } = await store.unread('a');
    await store.append('a', Uint8Array.of(2));
    await absorbed(store, mark);
    assert.deepEqual((await store.unread('a')).chunks.map(plain), [[2]]);
    assert.equal(await store.append('a', Uint8Array.of(1)), 'repeated');
    assert.deepEqual((await store.unread('a')).chunks.map(plain), [[2]]);
  });

  check(
    'an oversized session gives up the evidence of its oldest answers first, and says so',
    async (store, _, log) => {
      const answers = ['r1', 'r2', 'r3'].map(id => sampleAnswer(id, incompressible(3_200_000)));
      const session = sampleSession('a', { answers });
      await store.open(session);
      const stored = await store.get('a', session.binding);
      const kinds = stored?.answers.map(answer => answer.outcome.findings[0]?.evidence.map(item => item.kind));
      assert.deepEqual(kinds, [['note'], ['kernel_log'], ['kernel_log']]);
      assert.deepEqual(stored?.symptoms, session.symptoms);
      const warned = log.lines.filter(line => line.level === 'warn').map(line => line.fields['given_up']);
      assert.deepEqual(warned, [['evidence of the oldest answer']]);
    },
  );

  check('a session that no trimming saves is refused', async store => {
    const workloadId = randomBytes(12_000_000).toString('base64');
    const session = sampleSession('a');
    await assert.rejects(store.open({ ...session, binding: { ...session.binding, workloadId } }), RangeError);
  });
}

function plain(bytes: Uint8Array): number[] {
  return [...bytes];
}

/** Compresses to about `bytes`: random text holds nothing to save but its alphabet. */
function incompressible(bytes: number) {
  const message = randomBytes(bytes).toString('base64');
  const [finding] = sampleOutcome().findings;
  assert.ok(finding);
  return sampleOutcome({ findings: [{ ...finding, evidence: [sampleEvidence({ message })] }] });
}
