import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

test('the package builds, needs no other package and runs as plain JavaScript', context => {
  const out = mkdtempSync(join(tmpdir(), 'attribution-client-'));
  context.after(() => rmSync(out, { recursive: true, force: true }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'client/tsconfig.json', '--outDir', out], { cwd: root });
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');

  const built = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.(js|d\.ts)$/.test(name),
  );
  assert.ok(built.includes('client/index.js') && built.includes('client/index.d.ts'));
  const needed = built.flatMap(name => {
    const text = readFileSync(join(out, name), 'utf8');
    return [...text.matchAll(/from '([^.'][^']*)'/g)].map(match => match[1]);
  });
  assert.deepEqual(needed, []);

  const program = `
    import { createAttributionClient } from ${JSON.stringify(join(out, 'client/index.js'))};
    const result = await createAttributionClient({ mode: 'off' }).attribute({});
    console.log(JSON.stringify(result));
  `;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(said).attributions, []);
});
