import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { allowed, cycles, filesBelow, importsOf, readImports, roomOf, violations } from './imports.ts';

const root = resolve(import.meta.dirname, '../..');
const sources = ['src', 'client'].flatMap(folder => filesBelow(root, folder));
const production = sources.filter(path => !path.endsWith('.test.ts'));

test('imports point left only', () => {
  assert.deepEqual(violations(readImports(root, production)), []);
});

test('no import is circular', () => {
  assert.deepEqual(cycles(readImports(root, production)), []);
});

test('every room of src, and the client, is on the list of rooms', () => {
  const rooms = new Set(production.map(roomOf));
  assert.deepEqual(
    [...rooms].filter(room => room === null || !(room in allowed)),
    [],
  );
});

test('no file is longer than 400 lines, no test longer than 600', () => {
  const files = ['src', 'tests', 'client'].flatMap(folder => filesBelow(root, folder));
  const long = files.filter(path => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1;
    return lines > (path.endsWith('.test.ts') ? 600 : 400);
  });
  assert.deepEqual(long, []);
});

test('patterns are compiled in lines/linear-regex only', () => {
  const offenders = production.filter(path => {
    if (path === 'src/lines/linear-regex.ts') return false;
    return /from 're2js'|new RegExp\(/.test(readFileSync(join(root, path), 'utf8'));
  });
  assert.deepEqual(offenders, []);
});

test('file names say what they are', () => {
  const vague = /(^|\/)(utils?|helpers?|common|manager|service|base|impl)(\.|\/|$)/;
  assert.deepEqual(
    sources.filter(path => vague.test(path)),
    [],
  );
});

test('a planted violation is found', () => {
  const planted = importsOf('src/contract/request.ts', "import { x } from '../engine/recognize.ts';\n");
  assert.equal(violations(planted).length, 1);
  const lazily = importsOf('src/core/time.ts', "const x = await import('../adapter/attribute.ts');\n");
  assert.equal(violations(lazily).length, 1);
  const outward = importsOf('client/client.ts', "import { t } from '../src/core/time.ts';\n");
  assert.equal(violations(outward).length, 1);
});

test('a planted cycle is found', () => {
  const imports = [
    ...importsOf('src/core/a.ts', "import { b } from './b.ts';\n"),
    ...importsOf('src/core/b.ts', "import type { a } from './a.ts';\n"),
  ];
  assert.equal(cycles(imports).length, 1);
});
