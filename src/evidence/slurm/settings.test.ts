import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSlurmSettings } from './settings.ts';

const named = { name: 'slurm', kind: 'slurm' };

function problemsOf(written: Readonly<Record<string, unknown>>): string {
  const parsed = parseSlurmSettings({ ...named, ...written });
  return parsed.ok ? '' : parsed.problems.join('\n');
}

test('user and token become the headers of slurmrestd', () => {
  const parsed = parseSlurmSettings({
    ...named,
    url: 'http://127.0.0.1:6820',
    user: 'user1',
    tokenFile: '/etc/attribution-adapter/slurm.jwt',
  });
  assert.ok(parsed.ok && parsed.settings.access.kind === 'rest');
  assert.deepEqual(parsed.settings.access.http.headers, [
    ['X-SLURM-USER-NAME', { kind: 'inline', value: 'user1' }],
    ['X-SLURM-USER-TOKEN', { kind: 'file', path: '/etc/attribution-adapter/slurm.jwt' }],
  ]);
});

test('commands are argument vectors, each of which may be left out', () => {
  const parsed = parseSlurmSettings({
    ...named,
    commands: {
      sacct: false,
      scontrol: ['/opt/slurm/bin/scontrol', '-M', 'a'],
      environment: { SLURM_CONF: '/a' },
    },
  });
  assert.ok(parsed.ok && parsed.settings.access.kind === 'commands');
  assert.deepEqual(parsed.settings.access.commands, {
    sacct: null,
    scontrol: ['/opt/slurm/bin/scontrol', '-M', 'a'],
  });
  assert.deepEqual(parsed.settings.access.run.environment, { SLURM_CONF: '/a' });
});

test('mistakes are told with place and remedy', () => {
  assert.match(problemsOf({}), /^url: is missing: write url .* or commands/);
  assert.match(
    problemsOf({ url: 'http://a', tokenFile: 't', commands: {} }),
    /^url: is given besides commands/,
  );
  assert.match(problemsOf({ url: 'http://a' }), /^tokenFile: is missing/);
  assert.match(problemsOf({ url: 'http://a', token: 't', tokenFile: 'f' }), /^token: is given twice/);
  assert.match(problemsOf({ url: 'ftp://a', token: 't' }), /^url: is no http address/);
  assert.match(problemsOf({ url: 'http://a', token: 't', apiVersion: '41' }), /^apiVersion: /);
  assert.match(problemsOf({ commands: { sacct: false, scontrol: false } }), /both are false/);
  assert.match(problemsOf({ commands: { sacct: 'sacct -j' } }), /^commands\.sacct: /);
  assert.match(problemsOf({ commands: { environment: { 'A=B': 'c' } } }), /no name of a variable/);
});

test('a unix socket needs no token: the user that connects counts', () => {
  assert.equal(problemsOf({ unixSocket: '/run/slurmrestd.sock' }), '');
});
