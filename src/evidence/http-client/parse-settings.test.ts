import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHttpSettings } from './parse-settings.ts';
import type { WrittenConnection } from './settings.ts';

function problemsOf(written: Partial<WrittenConnection>): readonly string[] {
  const parsed = parseHttpSettings({ url: 'http://store:3100', ...written });
  return parsed.ok ? [] : parsed.problems;
}

test('the path prefix stays, the slash at its end does not', () => {
  const parsed = parseHttpSettings({ url: 'https://store.example/loki-a/' });
  assert.equal(parsed.ok && parsed.settings.url, 'https://store.example/loki-a');
});

test('several tenants are joined by a bar', () => {
  const parsed = parseHttpSettings({ url: 'http://store', tenant: ['team-a', 'team-b'] });
  assert.deepEqual(parsed.ok && parsed.settings.headers, [
    ['X-Scope-OrgID', { kind: 'inline', value: 'team-a|team-b' }],
  ]);
});

test('mistakes name place and remedy, and quote no secret', () => {
  const wrong: readonly [Partial<WrittenConnection>, RegExp][] = [
    [{ url: 'store:3100' }, /^url: is no http address: write/],
    [{ url: 'ftp://store' }, /^url: is no http address/],
    [{ url: 'http://user1:hunter2@store' }, /^url: holds credentials/],
    [{ url: 'http://store/?x=1' }, /^url: has a query/],
    [{ authentication: { type: 'basic', username: 'user1' } }, /^authentication\.password: is missing: write/],
    [{ authentication: { type: 'basic', password: 'hunter2' } }, /^authentication\.username: is missing/],
    [{ authentication: { type: 'bearer', token: 'hunter2', tokenFile: '/t' } }, /token: is given twice/],
    [{ authentication: { type: 'bearer', token: 'hunter2\n' } }, /token: holds characters/],
    [{ authentication: { type: 'none', token: 'hunter2' } }, /^authentication\.type: is none/],
    [{ tls: { certificateFile: '/c' } }, /^tls: a client certificate needs both/],
    [{ headers: { Authorization: 'hunter2' } }, /^headers\.Authorization: is set by the client/],
    [{ headers: { 'X-A': 'hunter2' }, headerFiles: { 'x-a': '/f' } }, /^headers\.x-a: is given twice/],
    [{ headers: { 'X A': '1' } }, /"X A" is no name/],
    [{ headers: { 'X-A': 'hunter2\r\nX-B: 1' } }, /^headers\.X-A: holds characters/],
    [{ tenant: ['a|b'] }, /^tenant: use printable/],
    [{ proxy: { url: 'http://user1:hunter2@proxy' } }, /^proxy\.url: holds credentials/],
    [{ proxy: { url: 'http://proxy' }, unixSocket: '/s' }, /^proxy: a unixSocket/],
  ];
  for (const [written, expected] of wrong) {
    const problems = problemsOf(written);
    assert.equal(problems.length, 1, JSON.stringify(written));
    assert.match(problems[0] ?? '', expected);
    assert.ok(!problems.join().includes('hunter2'));
  }
});
