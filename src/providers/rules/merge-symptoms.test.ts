import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure, secondsFromFailure, symptom } from '../../../tests/support/symptoms.ts';
import type { RuleRole, Symptom } from '../../core/symptom.ts';
import { mergeSymptoms } from './merge-symptoms.ts';

/** One symptom, seen at these seconds from the failure. */
function seenAt(ruleRole: RuleRole, seconds: readonly number[], count = seconds.length): Symptom {
  const parts = seconds.map(at => symptom({ symptom: 'step', node: 'node-01', at, ruleRole, clock: 'job' }));
  const [one] = parts;
  const last = parts.at(-1);
  assert.ok(one !== undefined && last !== undefined);
  const observations = parts.flatMap(part => part.observations);
  return { ...one, id: 'step', last: last.last, observations, count, role: 'initiating' };
}

const secondsOf = ({ observations }: Symptom): number[] =>
  observations.map(({ instant }) => Number((instant.nanos ?? failure) - failure) / 1e9);

test('progress keeps its two earliest and three latest sightings', () => {
  const [merged] = mergeSymptoms(
    [seenAt('progress', [-900, -890, -880, -870, -860])],
    [seenAt('progress', [-600, -590, -580, -570, -560])],
  );
  assert.ok(merged !== undefined);
  assert.deepEqual(secondsOf(merged), [-900, -890, -580, -570, -560]);
  assert.equal(merged.last.nanos, secondsFromFailure(-560));
  assert.equal(merged.first.nanos, secondsFromFailure(-900));
});

test('everything else keeps its earliest five', () => {
  const [merged] = mergeSymptoms([seenAt('root', [-10, -8, -6])], [seenAt('root', [-9, -7, -5])]);
  assert.ok(merged !== undefined);
  assert.deepEqual(secondsOf(merged), [-10, -9, -8, -7, -6]);
});

test('what both reads saw counts once, and roles are open again', () => {
  const [merged, ...more] = mergeSymptoms(
    [seenAt('progress', [-9, -8], 40)],
    [seenAt('progress', [-8, -9], 31)],
  );
  assert.ok(merged !== undefined);
  assert.deepEqual(more, []);
  assert.deepEqual(secondsOf(merged), [-9, -8]);
  assert.equal(merged.count, 40);
  assert.deepEqual([merged.role, merged.reason], ['unknown', null]);
});
