import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

/** Imports the contract in a process of its own that lists what gets loaded. */
const probe = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
const contract = await import(process.argv[1]);
contract.openapiDocument();
console.log(JSON.stringify(loaded));
`;

test('the exporter loads src/contract and typebox, and nothing else', () => {
  const entry = `file://${join(root, 'src/contract/index.ts')}`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', probe, entry], {
    encoding: 'utf8',
    env: {},
  });
  const loaded = JSON.parse(output) as string[];
  const allowed = [`file://${root}/src/contract/`, `file://${root}/node_modules/typebox/`];
  assert.ok(loaded.some(url => url.endsWith('/src/contract/openapi.ts')));
  assert.deepEqual(
    loaded.filter(url => !allowed.some(folder => url.startsWith(folder))),
    [],
  );
});

test('the package exports the contract, and only that', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string } | string>;
  };
  assert.deepEqual(Object.keys(exports), ['./contract', './package.json']);
  assert.deepEqual(exports['./contract'], {
    types: './dist/contract/index.d.ts',
    default: './dist/contract/index.js',
  });
});
