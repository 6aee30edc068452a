import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  sampleAnswer,
  sampleOutcome,
  sampleSession,
  sampleSymptom,
} from '../../tests/support/sample-session.ts';
import { bytesToSession, isShorterThan, sessionToBytes } from './session-bytes.ts';

const roomy = { compressedBytes: 1_000_000, textLength: 1_000_000, answers: 100 };

test('a session that fits is stored whole', async () => {
  const session = sampleSession('a', { answers: [sampleAnswer('r1')] });
  const { bytes, trimmed } = await sessionToBytes(session, roomy);
  assert.deepEqual(trimmed, []);
  assert.deepEqual(await bytesToSession(bytes), session);
});

test('excerpts of what never convicts are given up before those of what does, and no symptom is', async () => {
  const [seen] = sampleSymptom().observations;
  assert.ok(seen);
  const observations = Array.from({ length: 5 }, () => seen);
  const strong = sampleSymptom({ id: 'strong', strength: 'S1', observations });
  const weak = Array.from({ length: 30 }, (_, at) =>
    sampleSymptom({ id: `weak-${at}`, strength: 'S6', observations }),
  );
  const session = sampleSession('a', { symptoms: [...weak, strong] });
  const { bytes } = await sessionToBytes(session, { ...roomy, textLength: 45_000 });
  const stored = await bytesToSession(bytes);
  assert.equal(stored.symptoms.length, 31);
  assert.equal(stored.symptoms[0]?.observations.length, 1);
  assert.deepEqual(stored.symptoms.at(-1), strong);
});

test('what would have changed the verdict is given up before what was seen', async () => {
  const ids = Array.from({ length: 2_000 }, (_, at) => `symptom-${at}`);
  const verdict = { targets: [], problem: null };
  const changes = [{ change: { kind: 'symptoms', ids }, said: 'without all of them', verdict }] as const;
  const session = sampleSession('a', { changes });
  const { bytes, trimmed } = await sessionToBytes(session, { ...roomy, textLength: 20_000 });
  assert.equal(trimmed.at(-1), 'what would have led to another verdict');
  const stored = await bytesToSession(bytes);
  assert.deepEqual([stored.changes, stored.symptoms], [null, session.symptoms]);
});

test('all answers are given up before what was seen', async () => {
  const remarks = ['x'.repeat(20_000)];
  const answer = sampleAnswer('r1', sampleOutcome({ coverage: [{ ...coverage, remarks }] }));
  const session = sampleSession('a', { answers: [answer] });
  const { bytes } = await sessionToBytes(session, { ...roomy, textLength: 10_000 });
  const stored = await bytesToSession(bytes);
  assert.deepEqual([stored.answers, stored.symptoms.length, stored.forgotten], [[], 1, undefined]);
});

const tooMany = Array.from({ length: 300 }, (_, at) => sampleSymptom({ id: `strong-${at}` }));

test('where nothing else helps, everything read is forgotten and marked, so that it is read again', async () => {
  const session = sampleSession('a', { symptoms: tooMany, coverage: [coverage] });
  const { bytes } = await sessionToBytes(session, { ...roomy, textLength: 5_000 });
  const stored = await bytesToSession(bytes);
  assert.deepEqual([stored.symptoms, stored.coverage, stored.corpusHash], [[], [], null]);
  assert.deepEqual([stored.windows, stored.forgotten], [session.windows, 'read']);
});

test('what was pushed cannot be had again: the session is marked for good, and its coverage tells', async () => {
  const groups = [{ status: 'complete', nodes: 'node-[01-02]', count: 2, reason: null }] as const;
  const pushed = { ...coverage, source: 'pushed', groups };
  const session = sampleSession('a', { symptoms: tooMany, coverage: [coverage, pushed] });
  const small = { ...roomy, textLength: 5_000 };
  const first = await bytesToSession((await sessionToBytes(session, small)).bytes);
  assert.equal(first.forgotten, 'pushed');
  assert.deepEqual(
    first.coverage.map(each => [each.source, each.groups.map(({ status, count }) => [status, count])]),
    [['pushed', [['failed', 2]]]],
  );
  const again = await sessionToBytes({ ...first, coverage: [], symptoms: tooMany }, small);
  assert.equal((await bytesToSession(again.bytes)).forgotten, 'pushed');
});

test('a length is judged without building the text', () => {
  assert.equal(isShorterThan({ a: ['x'.repeat(100), 1n, null] }, 200), true);
  assert.equal(isShorterThan({ a: ['x'.repeat(100), 1n, null] }, 100), false);
});

const coverage = {
  source: 'logs',
  origin: 'kernel',
  window: null,
  query: null,
  filter: null,
  streams: 1,
  lines: 1,
  bytes: 1,
  groups: [],
  notYet: null,
  remarks: [],
} as const;
