import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adapterUnderTest, call, finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { settle } from '../../tests/support/fake-clock.ts';
import { sampleRequest, sampleSlowRequest } from '../../tests/support/sample-request.ts';
import { sampleSymptom } from '../../tests/support/sample-session.ts';
import type { Session, SessionBinding, SessionPart } from '../core/session.ts';

const binding: SessionBinding = {
  workloadId: '12345',
  workflowId: 'training-example',
  attemptIndex: 0,
  caller: null,
};

function part(symptomId: string): SessionPart {
  return {
    windows: [{ from: 1n, to: 2n }],
    symptoms: [sampleSymptom({ id: symptomId })],
    coverage: [],
    corpusHash: 'c0ffee',
  };
}

/** An adapter whose provider notes the sessions it is given and keeps a symptom named by the phase. */
function notingSessions(changes: Parameters<typeof adapterUnderTest>[1] = {}) {
  const seen: Session[] = [];
  const tested = adapterUnderTest(async (context, request) => {
    seen.push(context.session.session);
    context.session.keep(part(request.phase));
    return outcome({ findings: [finding()] });
  }, changes);
  return { ...tested, seen };
}

describe('joining fast and slow', () => {
  test('fast opens a session and saves with it what was kept and answered', async () => {
    const { adapter, sessions } = notingSessions();
    const response = await adapter.attribute(sampleRequest(), { ...call, requestId: 'r1' });
    const stored = await sessions.get(response.attributionSessionId ?? '', binding);
    assert.deepEqual(
      stored?.symptoms.map(({ id }) => id),
      ['fast'],
    );
    assert.deepEqual(
      stored?.answers.map(({ requestId, phase, late }) => [requestId, phase, late]),
      [['r1', 'fast', false]],
    );
    assert.equal(stored?.moment, sampleRequest().failureContext.detectedAt);
  });

  test('slow with the id of fast continues that session', async () => {
    const { adapter, seen } = notingSessions();
    const { attributionSessionId } = await adapter.attribute(sampleRequest(), call);
    const slow = await adapter.attribute(sampleSlowRequest({ continueSession: attributionSessionId }), call);
    assert.equal(slow.attributionSessionId, attributionSessionId);
    assert.deepEqual(
      seen[1]?.symptoms.map(({ id }) => id),
      ['fast'],
    );
    assert.equal(seen[1]?.answers.length, 1);
  });

  test('fast with a known id joins that session', async () => {
    const { adapter, seen } = notingSessions();
    const { attributionSessionId } = await adapter.attribute(sampleRequest(), call);
    const again = await adapter.attribute(sampleRequest({ continueSession: attributionSessionId }), call);
    assert.equal(again.attributionSessionId, attributionSessionId);
    assert.equal(seen[1]?.windows.length, 1);
  });

  test('what is left of pushed logs that did not fit names nobody', async () => {
    const { adapter, sessions } = notingSessions();
    const { attributionSessionId: continueSession } = await adapter.attribute(sampleRequest(), call);
    const stored = await sessions.get(continueSession ?? '', binding);
    assert.ok(stored);
    await sessions.update({ ...stored, forgotten: 'pushed' });
    for (const request of [sampleRequest({ continueSession }), sampleSlowRequest({ continueSession })]) {
      const { attributions, error } = await adapter.attribute(request, call);
      assert.deepEqual([attributions, error?.type], [[], 'insufficient_telemetry']);
    }
  });

  test('an unknown id becomes a new session with nothing read, and nothing fails', async () => {
    const { adapter, seen } = notingSessions();
    const response = await adapter.attribute(sampleSlowRequest({ continueSession: 'never' }), call);
    assert.equal(response.error, null);
    assert.notEqual(response.attributionSessionId, null);
    assert.notEqual(response.attributionSessionId, 'never');
    assert.deepEqual(seen[0]?.windows, []);
  });

  test("another workload, workflow, attempt or caller cannot reach somebody's session", async () => {
    const { adapter, seen } = notingSessions();
    const { attributionSessionId: continueSession } = await adapter.attribute(sampleRequest(), call);
    const foreign = [
      sampleSlowRequest({ continueSession, workloadId: '12346' }),
      sampleSlowRequest({
        continueSession,
        workloadContext: { workflowId: 'other', attemptIndex: 0, jobEndTime: null },
      }),
      sampleSlowRequest({
        continueSession,
        workloadContext: { workflowId: 'training-example', attemptIndex: 1, jobEndTime: null },
      }),
    ];
    const answers = [];
    for (const request of foreign) answers.push(await adapter.attribute(request, call));
    answers.push(
      await adapter.attribute(sampleSlowRequest({ continueSession }), { ...call, caller: 'someone' }),
    );
    assert.equal(answers.filter(response => response.attributionSessionId === continueSession).length, 0);
    assert.ok(seen.slice(1).every(session => session.windows.length === 0));
  });

  test('a session that cannot be saved goes out as null, with the answer and a warning', async () => {
    const { adapter, log } = notingSessions({
      sessions: real => ({ ...real, open: () => Promise.reject(new Error('state file x: no space is left')) }),
    });
    const response = await adapter.attribute(sampleRequest(), call);
    assert.equal(response.attributionSessionId, null);
    assert.equal(response.attributions.length, 1);
    assert.ok(log.lines.some(line => line.level === 'warn' && /cannot be saved/.test(line.message)));
  });

  test('a session that opened but took no update goes out as null', async () => {
    const { adapter } = notingSessions({
      sessions: real => ({ ...real, update: () => Promise.reject(new Error('state file x: read-only')) }),
    });
    const { attributionSessionId: continueSession } = await adapter.attribute(sampleRequest(), call);
    assert.notEqual(continueSession, null);
    const again = await adapter.attribute(sampleRequest({ continueSession }), call);
    assert.equal(again.attributionSessionId, null);
  });

  test('an answer in time is one write, and at the deadline the session is stored already', async () => {
    const written: (readonly [string, number])[] = [];
    const noting: Parameters<typeof notingSessions>[0] = {
      sessions: real => ({
        ...real,
        open(session) {
          written.push(['open', session.answers.length]);
          return real.open(session);
        },
        update(session) {
          written.push(['update', session.answers.length]);
          return real.update(session);
        },
      }),
    };
    await notingSessions(noting).adapter.attribute(sampleRequest(), call);
    assert.deepEqual(written, [['open', 1]]);
    written.length = 0;
    const { adapter, clock } = adapterUnderTest(() => new Promise(() => {}), noting);
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(10_000);
    assert.notEqual((await answer).attributionSessionId, null);
    assert.deepEqual(written, [
      ['open', 0],
      ['update', 1],
    ]);
  });

  test('a store that does not answer holds nothing up beyond the deadline', async () => {
    const { adapter, clock } = notingSessions({
      sessions: real => ({ ...real, open: () => new Promise(() => {}) }),
    });
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(10_000);
    const response = await answer;
    assert.equal(response.attributions.length, 1);
    assert.equal(response.error, null);
    assert.equal(response.attributionSessionId, null);
  });
});

test('a store that does not give a session out costs the session, not the answer', async () => {
  const { adapter, clock, seen } = notingSessions({
    sessions: real => ({ ...real, get: () => new Promise(() => {}) }),
  });
  const answer = adapter.attribute(sampleSlowRequest({ continueSession: 'of-before' }), call);
  await clock.advance(10_000);
  const response = await answer;
  assert.equal(response.attributions.length, 1);
  assert.equal(response.error, null);
  assert.equal(seen[0]?.windows.length, 0);
});

describe('more than one at work on a session', () => {
  test('of two slow calls at once neither is lost', async () => {
    const gate = Promise.withResolvers<void>();
    let at = 0;
    const { adapter, sessions } = adapterUnderTest(async (context, request) => {
      if (request.phase === 'slow') await gate.promise;
      at += 1;
      context.session.keep(part(`symptom-${at}`));
      return outcome();
    });
    const { attributionSessionId } = await adapter.attribute(sampleRequest(), { ...call, requestId: 'fast' });
    const slow = sampleSlowRequest({ continueSession: attributionSessionId });
    const longer = { ...slow, timeoutMs: slow.timeoutMs + 1 };
    const both = [
      adapter.attribute(slow, { ...call, requestId: 'a' }),
      adapter.attribute(longer, { ...call, requestId: 'b' }),
    ];
    await settle();
    gate.resolve();
    const answers = await Promise.all(both);
    assert.deepEqual(
      new Set(answers.map(answer => answer.attributionSessionId)),
      new Set([attributionSessionId]),
    );
    const stored = await sessions.get(attributionSessionId ?? '', binding);
    assert.deepEqual(stored?.answers.map(answer => answer.requestId).toSorted(), ['a', 'b', 'fast']);
    const symptoms = stored?.symptoms.map(({ id }) => id) ?? [];
    assert.ok(symptoms.includes('symptom-2') && symptoms.includes('symptom-3'));
  });

  test('a late result is kept in the session', async () => {
    const { adapter, clock, sessions } = adapterUnderTest(
      context =>
        new Promise(resolve => {
          clock.after(15_000, () => {
            context.session.keep(part('late'));
            resolve(outcome({ findings: [finding()] }));
          });
        }),
    );
    const answer = adapter.attribute(sampleRequest(), { ...call, requestId: 'r1' });
    await clock.advance(10_000);
    const { attributionSessionId, error } = await answer;
    assert.equal(error?.type, 'timeout');
    await clock.advance(5_000);
    await adapter.settled();
    const stored = await sessions.get(attributionSessionId ?? '', binding);
    assert.deepEqual(
      stored?.answers.map(({ late, outcome: { findings } }) => [late, findings.length]),
      [
        [false, 0],
        [true, 1],
      ],
    );
    assert.deepEqual(
      stored?.symptoms.map(({ id }) => id),
      ['late'],
    );
  });

  test('a late failure is logged and changes nothing', async () => {
    const { adapter, clock, log, sessions } = adapterUnderTest(
      () => new Promise((_, reject) => clock.after(15_000, () => reject(new TypeError('late')))),
    );
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(20_000);
    const { attributionSessionId } = await answer;
    await adapter.settled();
    assert.ok(log.lines.some(line => line.fields['error'] === 'TypeError'));
    assert.equal((await sessions.get(attributionSessionId ?? '', binding))?.answers.length, 1);
  });

  test('a provider that never comes back holds up the end of the process only so long', async () => {
    const { adapter, clock } = adapterUnderTest(() => new Promise(() => {}));
    const answer = adapter.attribute(sampleRequest(), call);
    await clock.advance(10_000);
    await answer;
    const settled = adapter.settled(2_000);
    await clock.advance(2_000);
    await settled;
    assert.equal(clock.pending(), 0);
  });
});
