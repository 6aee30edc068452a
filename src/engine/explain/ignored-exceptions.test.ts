import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasoningContext, symptom } from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';
import { ignoredExceptions } from './ignored-exceptions.ts';

const job = { origin: 'job', stream: 'job/train.out', at: null } as const;
const wordsSpec = { symptom: 'exception-ignored', ruleRole: 'noise', blames: 'nobody', ...job } as const;
const errorSpec = { symptom: 'python-exception', blames: 'job', strength: 'S3', ...job } as const;
const words = (line: number, rank: number | null = null) => symptom({ ...wordsSpec, line, rank });
const raised = (line: number, rank: number | null = null) =>
  symptom({ ...errorSpec, line, rank, text: `KeyError: ${line}` });
const again = symptom({ ...errorSpec, line: 15, text: 'KeyError: 14' });

const rolesOf = (...seen: readonly Symptom[]) =>
  ignoredExceptions.run(seen, reasoningContext()).map(({ role }) => role);

test('the exception that Python says it ignores ended nothing', () => {
  assert.deepEqual(rolesOf(words(10), raised(14)), ['unknown', 'context']);
});

test('what was raised before it, and a second one after it, may have', () => {
  assert.deepEqual(rolesOf(words(10), raised(8), raised(14)), ['unknown', 'unknown', 'context']);
  assert.deepEqual(rolesOf(words(10), raised(14), raised(20)), ['unknown', 'context', 'unknown']);
  assert.deepEqual(rolesOf(words(10), raised(1_011)), ['unknown', 'unknown']);
});

test('lines that come twice are one', () => {
  const both = { ...raised(14), count: 2, observations: [...raised(14).observations, ...again.observations] };
  assert.deepEqual(rolesOf(words(10), both), ['unknown', 'context']);
});

test('ranks are told apart, and one of several that was not ignored counts', () => {
  assert.deepEqual(rolesOf(words(10, 1), raised(11, 0), raised(14, 1)), ['unknown', 'unknown', 'context']);
  const both = {
    ...raised(14),
    count: 2,
    observations: [...raised(14).observations, ...raised(30).observations],
  };
  assert.deepEqual(rolesOf(words(10), both), ['unknown', 'unknown']);
  assert.deepEqual(rolesOf(words(10), { ...raised(14), count: 9 }), ['unknown', 'unknown']);
});

test('in a store, which knows no lines, the time tells which is below, where it differs', () => {
  const stored = (seen: Symptom): Symptom => ({
    ...seen,
    observations: seen.observations.map(observation => ({
      ...observation,
      reference: { kind: 'query', query: '{job="42"}', stamp: String(observation.instant.nanos) },
    })),
  });
  const said = stored(symptom({ ...wordsSpec, at: 0 }));
  const error = (at: number) => stored(symptom({ ...errorSpec, at }));
  assert.deepEqual(rolesOf(said, error(0.1)), ['unknown', 'context']);
  assert.deepEqual(rolesOf(said, error(0)), ['unknown', 'unknown']);
  assert.deepEqual(rolesOf(said, error(5)), ['unknown', 'unknown']);
});
