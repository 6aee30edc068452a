import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLokiSettings } from './settings.ts';

const least = { name: 'loki', kind: 'loki', url: 'http://127.0.0.1:3100' };

test('an address is enough', () => {
  const parsed = parseLokiSettings(least);
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.settings.kernel, {
    matchers: [{ label: 'job', operator: '=', value: 'kernel' }],
    format: 'auto',
  });
  assert.deepEqual(parsed.settings.job, { matchers: [], idLabel: 'job_id', idIn: 'label' });
  assert.equal(parsed.settings.queryBytes, 5000);
  assert.deepEqual(parsed.settings.nodeLabels[0], 'host');
});

test('origins that are not in this store are left out', () => {
  const parsed = parseLokiSettings({ ...least, kernel: false, epilog: false });
  assert.ok(parsed.ok && parsed.settings.kernel === null && parsed.settings.epilog === null);
});

test('mistakes name place and remedy', () => {
  for (const [written, expected] of [
    [{ url: undefined }, /^url: /],
    [{ kernal: {} }, /^the source: has an unknown setting: .*kernal/],
    [{ kernel: { selector: 'job=kernel' } }, /^kernel\.selector: cannot be read from character 1 on: write/],
    [{ kernel: { selector: '{level!="debug"}' } }, /^kernel\.selector: selects every stream/],
    [{ matchers: '{cluster=}' }, /^matchers: cannot be read/],
    [{ job: { idIn: 'metadata' } }, /^job\.selector: selects every stream/],
    [{ nodeLabel: 'ho st' }, /^nodeLabel: /],
    [{ url: 'loki:3100' }, /^url: is no http address/],
    [{ authentication: { type: 'basic', username: 'user1' } }, /^authentication\.password: is missing/],
  ] as const) {
    const parsed = parseLokiSettings({ ...least, ...written });
    assert.ok(!parsed.ok, JSON.stringify(written));
    assert.match(parsed.problems[0] ?? '', expected);
  }
});
