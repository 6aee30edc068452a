import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('every test, case and guide that the security page names is there', () => {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const named = [...page.matchAll(/`((?:src|tests|cases|docs)\/[^`]+)`/g)].map(([, path = '']) => path);
  assert.ok(named.length > 40, `only ${named.length} are named`);
  assert.deepEqual(
    named.filter(path => !existsSync(join(root, path))),
    [],
  );
});
