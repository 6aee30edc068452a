import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout, runCommand } from '../support/service.ts';

const readme = readFileSync(join(checkout, 'README.md'), 'utf8');

test('the transcript of the README is what the command prints', async () => {
  const block = /```\n\$ \.\/attribution-adapter ([^\n]+)\n(.*?)```/s.exec(readme);
  assert.ok(block !== null);
  const [, args = '', expected = ''] = block;
  const { code, stdout } = await runCommand(args.split(' '));
  assert.equal(code, 0);
  assert.equal(stdout, expected);
});

test('the first screen of the README names the two commands', () => {
  const screen = readme.split('\n').slice(0, 20).join('\n');
  assert.match(screen, /^make demo /m);
  assert.match(screen, /^make test /m);
});
