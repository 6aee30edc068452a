import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readSettings } from '../../src/config/read-settings.ts';
import { checkout } from '../support/service.ts';

const guide = readFileSync(join(checkout, 'docs/guides/nvidia-resiliency-ext.md'), 'utf8');

test('every configuration that the guide shows is one', () => {
  const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(match => match[1] ?? '');
  assert.equal(examples.length, 2);
  for (const text of examples) {
    assert.ok(parse(text));
    readSettings({ file: { path: 'config.yaml', text }, environment: {}, flags: {} });
  }
});

test('the guide says who can accuse a node', () => {
  assert.match(guide, /who can reach this port can accuse a node/i);
});
