import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { filesBelow, importsOf } from './imports.ts';

const root = resolve(import.meta.dirname, '../..');
const generator = filesBelow(root, 'bench/incidents');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Imports of a file that leave the generator, packages and Node's own modules included. */
function strangers(path: string, text: string): readonly string[] {
  const relative = importsOf(path, text)
    .map(({ to }) => to)
    .filter(to => !to.startsWith('bench/incidents/'));
  const others = [
    ...text.matchAll(/^(?:import|export)\s[^'";]*from\s+'([^.'][^']*)'|\bimport\(\s*'([^.'][^']*)'\s*\)/gm),
  ];
  return [...relative, ...others.map(match => match[1] ?? match[2] ?? '')];
}

test('the incident generator knows the domain, not the answer', () => {
  assert.ok(generator.length > 20);
  for (const path of generator) {
    assert.deepEqual(strangers(path, textOf(path)), [], path);
    assert.doesNotMatch(textOf(path), /\brules\/|\bcases\/|readFile|process\.|require\(/, path);
  }
});

test('the incident generator draws every number from its seed', () => {
  for (const path of generator) assert.doesNotMatch(textOf(path), /Math\.random|Date\.now|new Date\(\)/, path);
});

test('a planted look at the answer is found', () => {
  assert.deepEqual(strangers('bench/incidents/plan.ts', "import { x } from '../../src/core/time.ts';\n"), [
    'src/core/time.ts',
  ]);
  assert.deepEqual(strangers('bench/incidents/plan.ts', "import { x } from 'node:fs';\n"), ['node:fs']);
});
