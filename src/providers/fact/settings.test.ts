import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartupError } from '../../core/errors.ts';
import { parseFactSettings, type WrittenFactSettings } from './settings.ts';

function written(change: Partial<WrittenFactSettings>): WrittenFactSettings {
  return {
    url: 'http://fact:8001',
    requireReachable: true,
    connection: {},
    origins: ['kernel'],
    bytesPerNode: 1024,
    callTimeoutMs: 1000,
    atOnce: 4,
    cluster: 'unknown',
    tenant: 'unknown',
    ruleset: 'default',
    ...change,
  };
}

test('an address without a path gets the usual one, any other stays', () => {
  const urls = {
    'http://fact:8001': 'http://fact:8001/latest',
    ' http://fact:8001/ ': 'http://fact:8001/latest',
    'https://proxy/fact/latest': 'https://proxy/fact/latest',
    'https://proxy/fact/latest//': 'https://proxy/fact/latest',
    'http://h:1/v1': 'http://h:1/v1',
  };
  for (const [url, expected] of Object.entries(urls)) {
    assert.equal(parseFactSettings(written({ url })).http.url, expected);
  }
});

test('an address that is none, or has more than a path, stops start-up with one line', () => {
  for (const url of [
    '',
    ' ',
    'fact:8001',
    'ftp://fact',
    'http://',
    'http://f/?a=1',
    'http://f/#x',
    'http://u:p@f/',
  ]) {
    assert.throws(
      () => parseFactSettings(written({ url })),
      (error: unknown) => {
        assert.ok(error instanceof StartupError);
        assert.match(error.message, /^provider\.fact\.url\b[^\n]+$/);
        return true;
      },
    );
  }
});

test('mistakes of the connection are told by their place, and no secret is repeated', () => {
  const connection = { authentication: { type: 'bearer', token: 'hunter2\n' }, tsl: {} };
  assert.throws(
    () => parseFactSettings(written({ connection })),
    (error: unknown) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, /^provider\.fact\.connection\./);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    },
  );
});
