import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock } from '../../../tests/support/log-lines.ts';
import { commandRunner } from './run-command.ts';

const never = new AbortController().signal;
const run = commandRunner(
  { environment: { GIVEN: 'yes' }, timeoutMs: 10_000, outputBytes: 1000 },
  machineClock,
);

test('parameters arrive as they are, without a shell', async () => {
  const told = await run(['printf', '%s|', '$HOME', '; echo x', '*'], never);
  assert.ok(told.ok);
  assert.equal(told.value.text, '$HOME|; echo x|*|');
  assert.equal(told.value.exitCode, 0);
});

test('the environment is what is configured, in UTC, and nothing of ours', async () => {
  process.env['ATTRIBUTION_ONLY_OURS'] = 'secret';
  const told = await run(['env'], never);
  delete process.env['ATTRIBUTION_ONLY_OURS'];
  assert.ok(told.ok);
  const names = told.value.text.split('\n').map(line => line.split('=')[0]);
  assert.deepEqual(names.filter(name => name !== '' && name !== '_').sort(), ['GIVEN', 'LC_ALL', 'PATH', 'TZ']);
  assert.match(told.value.text, /^TZ=UTC$/m);
});

test('a program that complains has ended, and what it says is kept apart', async () => {
  const told = await run(['ls', '/does/not/exist'], never);
  assert.ok(told.ok);
  assert.notEqual(told.value.exitCode, 0);
  assert.match(told.value.complaint, /exist/);
});

test('what cannot be run or takes too long is a failure', async () => {
  const missing = await run(['/usr/bin/no-such-program'], never);
  assert.deepEqual(missing, {
    ok: false,
    trouble: { status: 'failed', reason: 'no-such-program cannot be run (ENOENT)', tooMuch: null },
  });
  const hasty = commandRunner({ environment: {}, timeoutMs: 20, outputBytes: 1000 }, machineClock);
  const slow = await hasty(['sleep', '30'], never);
  assert.equal(!slow.ok && slow.trouble.status, 'timed_out');
  const cut = await run(['sleep', '30'], AbortSignal.timeout(20));
  assert.equal(!cut.ok && cut.trouble.status, 'timed_out');
});

test('what prints more than is read is ended, and its beginning is kept', async () => {
  const loud = await run(['yes'], never);
  assert.ok(loud.ok);
  assert.equal(loud.value.complete, false);
  assert.equal(loud.value.text, 'y\n'.repeat(500));
});
