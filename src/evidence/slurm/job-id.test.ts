import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWanted, parseJobId } from './job-id.ts';

test('jobs, tasks, components and steps', () => {
  assert.deepEqual(parseJobId('42'), { base: '42', wanted: '42' });
  assert.deepEqual(parseJobId('42_7'), { base: '42', wanted: '42_7' });
  assert.deepEqual(parseJobId('42+1'), { base: '42', wanted: '42+1' });
  assert.deepEqual(parseJobId('42.0'), { base: '42', wanted: '42' });
  assert.deepEqual(parseJobId('42_7.batch'), { base: '42', wanted: '42_7' });
});

test('what is no id is asked of nobody', () => {
  for (const text of [
    '',
    'job-1',
    '-j',
    '42 --json',
    '42;reboot',
    '42_',
    '42_[1-3]',
    '../42',
    '42\n',
    '4'.repeat(40),
  ]) {
    assert.equal(parseJobId(text), null, text);
  }
});

test('the rows of a job are its own, with steps, tasks and components', () => {
  const whole = { base: '42', wanted: '42' };
  for (const name of ['42', '42.0', '42_7', '42_7.batch', '42+1']) assert.ok(isWanted(whole, name));
  for (const name of ['420', '4', '421_1']) assert.ok(!isWanted(whole, name));
  assert.ok(!isWanted({ base: '42', wanted: '42_7' }, '42_70'));
  assert.ok(!isWanted({ base: '42', wanted: '42_7' }, '42'));
});
