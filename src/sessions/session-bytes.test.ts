import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAnswer, sampleSession, sampleSymptom } from '../../tests/support/sample-session.ts';
import { bytesToSession, isShorterThan, sessionToBytes } from './session-bytes.ts';

const roomy = { compressedBytes: 1_000_000, textLength: 1_000_000, answers: 100 };

test('a session that fits is stored whole', async () => {
  const session = sampleSession('a', { answers: [sampleAnswer('r1')] });
  const { bytes, trimmed } = await sessionToBytes(session, roomy);
  assert.deepEqual(trimmed, []);
  assert.deepEqual(await bytesToSession(bytes), session);
});

test('victims are given up before symptoms that can convict, and coverage says so', async () => {
  const strong = sampleSymptom({ id: 'strong', strength: 'S1' });
  const weak = Array.from({ length: 300 }, (_, at) => sampleSymptom({ id: `weak-${at}`, strength: 'S6' }));
  const session = sampleSession('a', { symptoms: [...weak, strong], coverage: [coverage] });
  const { bytes } = await sessionToBytes(session, { ...roomy, textLength: 20_000 });
  const stored = await bytesToSession(bytes);
  assert.deepEqual(
    stored.symptoms.map(({ id }) => id),
    ['strong'],
  );
  assert.match(stored.coverage[0]?.remarks[0] ?? '', /too large: symptoms that never convict were not kept/);
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

test('where nothing else helps, everything read is forgotten, windows included, so that it is read again', async () => {
  const symptoms = Array.from({ length: 300 }, (_, at) => sampleSymptom({ id: `strong-${at}` }));
  const { bytes } = await sessionToBytes(sampleSession('a', { symptoms }), { ...roomy, textLength: 5_000 });
  const stored = await bytesToSession(bytes);
  assert.deepEqual([stored.symptoms, stored.windows, stored.corpusHash], [[], [], null]);
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
