import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exampleRequest, post } from '../conformance/example.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';

function configured(folder: string, yaml: string): readonly string[] {
  const config = join(folder, 'config.yaml');
  writeFileSync(config, yaml);
  return ['--config', config];
}

async function refusal(folder: string, yaml: string, status = 2): Promise<string> {
  const flags = configured(folder, yaml);
  const args = ['serve', '--listen', '127.0.0.1:0', '--state', join(folder, 'state')];
  const { code, stdout, stderr } = await runCommand([...flags, ...args]);
  assert.equal(code, status);
  assert.equal(stdout, '');
  assert.equal(stderr.trimEnd().split('\n').length, 1);
  return stderr;
}

test('a provider that cannot be opened ends start-up with one line and a status', async context => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'wrong.mjs'), 'export const createProvider = () => 7;');
  const module = (path: string) => `provider:\n  kind: module\n  module:\n    path: ${path}\n`;
  assert.match(await refusal(folder, module('/nowhere/own.mjs')), /\/nowhere\/own\.mjs cannot be loaded: /);
  assert.match(await refusal(folder, module(join(folder, 'wrong.mjs'))), /returned is no object/);
  for (const [name, text] of [
    ['settles-never', 'await new Promise(() => {});'],
    ['throws-no-error', 'throw Object.create(null);'],
  ] as const) {
    writeFileSync(join(folder, `${name}.mjs`), text);
    assert.match(await refusal(folder, module(join(folder, `${name}.mjs`))), new RegExp(`${name}\\.mjs `));
  }
  assert.match(
    await refusal(folder, 'provider:\n  kind: replay\n  replay:\n    path: /nowhere\n'),
    /provider\.replay\.path: \/nowhere cannot be read \(ENOENT\)/,
  );
});

test('a FACT service that does not answer, or whose address is none, ends start-up the same way', async context => {
  const folder = temporaryFolder(context);
  const fact = (url: string) =>
    `sources:\n  - { name: logs, kind: files, roots: [${folder}] }\nprovider:\n  kind: fact\n  fact:\n    url: ${url}\n`;
  const unreachable = await refusal(folder, fact(`http://127.0.0.1:${await freePort()}`), 1);
  assert.match(unreachable, /provider\.fact\.url: the FACT service at \S+ refused the connection/);
  assert.match(await refusal(folder, fact('ftp://fact.example')), /provider\.fact\.url: is no http address/);
});

test('a module that answers rubbish is a 200 with service_error', async context => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'rubbish.mjs');
  writeFileSync(
    path,
    "export const createProvider = () => ({ attribute: () => ({ coverage: 'all of it' }) });",
  );
  const state = join(folder, 'state');
  const service = await startService(['--state', state], {
    ATTRIBUTION_PROVIDER_KIND: 'module',
    ATTRIBUTION_PROVIDER_MODULE_PATH: path,
  });
  try {
    const answer = await post(service.url, exampleRequest);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.error?.type, 'service_error');
    assert.deepEqual(answer.body.attributions, []);
    assert.match(service.stderr(), /outcome\.coverage is no list/);
  } finally {
    await service.stop();
  }
});

test('a module whose errors escape, or which exits, ends no service', async context => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'escaping.mjs');
  writeFileSync(
    path,
    `export const createProvider = () => ({
      attribute({ workloadId }, { report }) {
        if (workloadId === 'exit') process.exit(0);
        Promise.reject(new Error('stray'));
        setTimeout(() => { throw new Error('stray'); }, 0);
        setTimeout(() => report('rubbish'), 0);
        return { coverage: [] };
      },
    });`,
  );
  const service = await startService(['--state', join(folder, 'state')], {
    ATTRIBUTION_PROVIDER_KIND: 'module',
    ATTRIBUTION_PROVIDER_MODULE_PATH: path,
  });
  try {
    for (let times = 0; times < 2; times += 1) {
      const ended = await post(service.url, { ...exampleRequest, workload_id: 'exit' });
      assert.equal(ended.body.error?.type, 'service_error');
      const answer = await post(service.url, { ...exampleRequest, workload_id: String(times) });
      assert.deepEqual([answer.status, answer.body.error?.type], [200, 'insufficient_telemetry']);
    }
    assert.match(service.stderr(), /let an error escape outside any request/);
  } finally {
    assert.equal(await service.stop(), 0);
  }
});
