import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout } from '../support/service.ts';

/** Above what the runtime itself reserves, and below what WebAssembly reserves for one thread more. */
const mostKib = 22_000_000;

test('a limit on addresses, as on login nodes, changes no answer', {
  skip: process.platform !== 'linux',
}, () => {
  const evidence = join(checkout, 'cases/gpu-missing-after-boot/evidence');
  const analyze = (before: string): string => {
    const script = `${before}exec ./attribution-adapter analyze "$1"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', evidence], {
      cwd: checkout,
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    return stdout;
  };
  const limited = analyze(`ulimit -v ${mostKib}; `);
  assert.match(limited, /^NODE {2}node-11 /);
  assert.equal(limited, analyze(''));
});
