import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideSecrets, hideSecretsAt } from './hide-secrets.ts';

test('inline secrets are hidden, whatever they stand in; names of files and everything else stay', () => {
  const shown = hideSecrets([
    {
      name: 'loki',
      url: 'https://loki.example',
      authentication: { type: 'basic', username: 'reader', password: 'hunter2' },
      proxy: { url: 'http://proxy', username: 'user1', passwordFile: '/run/p' },
      headers: { 'X-Key': 'hunter2' },
      headerFiles: { 'X-Other': '/run/o' },
      tls: { keyFile: '/etc/key.pem', insecureSkipVerify: false },
    },
    { authentication: { type: 'bearer', token: 'hunter2', tokenFile: '/run/t' } },
  ]);
  assert.ok(!JSON.stringify(shown).includes('hunter2'));
  assert.deepEqual(shown, [
    {
      name: 'loki',
      url: 'https://loki.example',
      authentication: { type: 'basic', username: 'reader', password: '(hidden)' },
      proxy: { url: 'http://proxy', username: 'user1', passwordFile: '/run/p' },
      headers: { 'X-Key': '(hidden)' },
      headerFiles: { 'X-Other': '/run/o' },
      tls: { keyFile: '/etc/key.pem', insecureSkipVerify: false },
    },
    { authentication: { type: 'bearer', token: '(hidden)', tokenFile: '/run/t' } },
  ]);
});

test('plain values are themselves', () => {
  for (const value of ['a', 1, true, null, undefined]) assert.equal(hideSecrets(value), value);
});

test('a setting that is itself a secret is hidden by its name', () => {
  assert.equal(hideSecretsAt('postgres.password', 'hunter2'), '(hidden)');
  assert.equal(hideSecretsAt('postgres.password', ''), '');
  assert.equal(hideSecretsAt('postgres.passwordFile', '/run/p'), '/run/p');
});
