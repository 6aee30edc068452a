import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assembledModules } from '../support/assembled-modules.ts';

test('assembled modules are those of their sources: run make generate', async () => {
  const modules = await assembledModules();
  assert.equal(modules.length, 2);
  for (const { path, text } of modules) assert.equal(readFileSync(path, 'utf8'), text, path);
});
