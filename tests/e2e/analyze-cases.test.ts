import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readCaseFolder } from '../../src/cli/case-folder.ts';
import { compareExpected } from '../../src/cli/compare-expected.ts';
import { readResponse } from '../../src/contract/index.ts';
import { checkout, runCommand } from '../support/service.ts';

const root = join(checkout, 'cases');
// What came before is no file that `analyze` is pointed at.
const names = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !existsSync(join(root, entry.name, 'history.json')))
  .map(entry => entry.name);

describe('analyze without configuration', { concurrency: 2 }, () => {
  for (const name of names) {
    test(`analyze ${name} gives what the case expects`, async () => {
      const folder = await readCaseFolder(join(root, name));
      const request = JSON.parse(readFileSync(join(root, name, 'request.json'), 'utf8')) as {
        scope: { nodes?: string[] };
      };
      const nodes = request.scope.nodes ?? [];
      const args = nodes.length === 0 ? [] : ['--nodes', nodes.join(',')];
      const { code, stdout, stderr } = await runCommand([
        'analyze',
        ...folder.fast.evidence,
        ...args,
        '-o',
        'json',
      ]);
      assert.equal(code, 0, stderr);
      const { response } = JSON.parse(stdout) as { response: object };
      const read = readResponse(JSON.stringify(response));
      assert.ok(read !== null);
      assert.deepEqual(compareExpected(read, folder.fast.expected), []);
    });
  }
});
