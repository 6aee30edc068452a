import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, settle } from '../../tests/support/fake-clock.ts';
import { plainSessionStore } from '../../tests/support/plain-session-store.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import type { AttributorRecord } from '../core/attributor.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Provider, SessionStore } from '../core/ports.ts';
import { createAttributionAdapter, defaultAdapterSettings } from './attribute.ts';
import { createAttributors } from './attributors.ts';

const silentMetrics = { count() {}, observe() {}, set() {} };

function recordsInMemory() {
  const records = new Map<string, AttributorRecord>();
  return {
    save: async (record: AttributorRecord) => void records.set(record.id, record),
    get: async (id: string) => records.get(id) ?? null,
    keep: async () => {},
    kept: async () => null,
  };
}

const tooLittle: Outcome = {
  findings: [],
  unattributed: [],
  coverage: [],
  problem: { type: 'insufficient_telemetry', message: 'too little' },
};

function attributorsOver(
  absorb: NonNullable<Provider['absorb']>,
  attribute: () => Promise<Outcome> = async () => tooLittle,
) {
  const clock = fakeClock();
  let pushed: Uint8Array[] = [];
  const plain = plainSessionStore();
  const removed = new Set<string>();
  const sessions: SessionStore = {
    ...plain,
    async append(id, bytes) {
      if (removed.has(id)) return 'unknown';
      pushed.push(bytes);
      return 'appended';
    },
    unread: async () => ({ chunks: pushed, mark: pushed.length }),
    async update(session, mark = 0) {
      const updated = await plain.update(session);
      if (updated === 'updated') pushed = pushed.slice(mark);
      return updated;
    },
    async remove(id) {
      removed.add(id);
      await plain.remove(id);
    },
  };
  let ids = 0;
  const randomId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const provider: Provider = {
    kind: 'test',
    corpusHash: null,
    attribute,
    absorb,
  };
  const adapter = createAttributionAdapter({
    provider,
    sessions,
    clock,
    log: silentLog,
    metrics: silentMetrics,
    redact: text => text,
    settings: defaultAdapterSettings,
    serviceId: 'attribution-adapter',
    versionOf: () => '0.1.0',
    randomId,
  });
  const attributors = createAttributors({
    adapter,
    provider,
    sessions,
    records: recordsInMemory(),
    clock,
    log: silentLog,
    settings: { timeoutMs: 20_000, mostBytes: 1_000 },
    randomId,
  });
  return { attributors, clock, sessions };
}

const call = { caller: null, traceparent: null, tracestate: null };
const attributor = { id: '7:cycle1:0', nodes: ['node-01'], jobStart: null, jobEnd: null };

test('an answer without all that was acknowledged says so, whatever else it lacks', async () => {
  const slow = Promise.withResolvers<void>();
  const { attributors, clock } = attributorsOver(async (_request, session) => {
    await slow.promise;
    return session;
  });
  const id = await attributors.create(attributor, null, null);
  await attributors.observe(id, new TextEncoder().encode('{}'), null);
  const reading = attributors.attribution(id, call);
  await settle();
  await clock.advance(10_000);
  assert.equal((await reading)?.error?.type, 'timeout');
  slow.resolve();
  await attributors.settled();
  assert.equal((await attributors.attribution(id, call))?.error?.type, 'insufficient_telemetry');
});

test('a read sees what was acknowledged before it, although another read is still under way', async () => {
  const first = Promise.withResolvers<Outcome>();
  let asked = 0;
  const { attributors } = attributorsOver(
    async (_request, session) => session,
    () => {
      asked += 1;
      return asked === 1 ? first.promise : Promise.resolve(tooLittle);
    },
  );
  const id = await attributors.create(attributor, null, null);
  const early = attributors.attribution(id, call);
  await settle();
  await attributors.observe(id, new TextEncoder().encode('{}'), null);
  await attributors.attribution(id, call);
  assert.equal(asked, 2);
  first.resolve(tooLittle);
  await early;
});

test('an attributor is unknown to every caller but its own', async () => {
  const { attributors } = attributorsOver(async (_request, session) => session);
  const bytes = new TextEncoder().encode('{}');
  const id = await attributors.create(attributor, null, 'one');
  for (const caller of ['two', null]) {
    assert.equal(await attributors.observe(id, bytes, caller), null);
    assert.equal(await attributors.attribution(id, { ...call, caller }), null);
  }
  assert.notEqual(await attributors.observe(id, bytes, 'one'), null);
  const answer = await attributors.attribution(id, { ...call, caller: 'one' });
  assert.equal(answer?.attributorId, id);
});

test('an attributor that is gone is unknown to whoever still pushes or reads', async () => {
  const { attributors, sessions } = attributorsOver(async (_request, session) => session);
  const bytes = new TextEncoder().encode('{}');
  const id = await attributors.create(attributor, null, null);
  assert.notEqual(await attributors.observe(id, bytes, null), null);
  await sessions.remove(id);
  assert.equal(await attributors.observe(id, bytes, null), null);
  assert.equal(await attributors.attribution(id, call), null);
  await attributors.settled();
});

test('what cannot be taken in is told by the read, and taken in by a later one', async () => {
  let isBroken = true;
  const { attributors } = attributorsOver(async (_request, session) => {
    if (isBroken) throw new Error('the pool broke off');
    return session;
  });
  const id = await attributors.create(attributor, null, null);
  await attributors.observe(id, new TextEncoder().encode('{}'), null);
  const broken = await attributors.attribution(id, call);
  assert.equal(broken?.error?.type, 'service_error');
  assert.deepEqual(
    broken?.coverage.map(({ source, groups }) => [source, groups.map(({ status, count }) => [status, count])]),
    [['pushed', [['failed', 1]]]],
  );
  isBroken = false;
  const mended = await attributors.attribution(id, call);
  assert.equal(mended?.error?.type, 'insufficient_telemetry');
  assert.deepEqual(mended?.coverage, []);
});

test('a read that could not take all in because the session never stood still says so', async () => {
  const { attributors, sessions } = attributorsOver(async (_request, session) => {
    await sessions.update(session);
    return session;
  });
  const id = await attributors.create(attributor, null, null);
  await attributors.observe(id, new TextEncoder().encode('{}'), null);
  assert.equal((await attributors.attribution(id, call))?.error?.type, 'service_error');
});
