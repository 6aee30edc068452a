import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameHost, isSameScheme, isUnnamedHost } from './host-names.ts';

test('short name, full name and case are one host; other numbers and other domains are not', () => {
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ['node-02', 'node-02', true],
    ['node-02', 'NODE-02', true],
    ['node-02', 'node-02.cluster.example.', true],
    ['node-02.cluster.example', 'node-02.cluster', true],
    ['node-02', 'node-2', false],
    ['node-02', 'node-022', false],
    ['node-02', 'node-02-bmc', false],
    ['node-02.one', 'node-02.two', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10', false],
  ];
  for (const [a, b, same] of pairs) {
    assert.equal(isSameHost(a, b), same, `${a} ${b}`);
    assert.equal(isSameHost(b, a), same, `${b} ${a}`);
  }
});

test('names that differ in numbers alone are of one scheme', () => {
  assert.ok(isSameScheme('node-02', 'node-031.cluster.example'));
  assert.ok(isSameScheme('ip-10-0-0-2', 'IP-10-0-0-13'));
  assert.ok(isSameScheme('10.0.0.1', '10.0.0.2'));
  assert.ok(!isSameScheme('node-02', 'n002'));
  assert.ok(!isSameScheme('node-02', 'login01'));
  assert.ok(!isSameScheme('node-02', '10.0.0.2'));
});

test('a machine that has no name yet names nobody', () => {
  for (const host of ['localhost', 'localhost.localdomain', 'LOCALHOST', '(none)', '127.0.0.1', '::1']) {
    assert.ok(isUnnamedHost(host), host);
  }
  for (const host of ['localhost-1', 'node-01', '10.0.0.1']) assert.ok(!isUnnamedHost(host), host);
});
