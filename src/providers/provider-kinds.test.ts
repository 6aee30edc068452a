import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { providerKinds } from './provider-kinds.ts';

test('the list of kinds and the folder agree', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name);
  assert.deepEqual(folders.sort(), [...providerKinds].sort());
});
