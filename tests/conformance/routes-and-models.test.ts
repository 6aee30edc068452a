import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { readSettings } from '../../src/config/read-settings.ts';
import { openapiText } from '../../src/contract/index.ts';
import { filesBelow, readImports } from '../architecture/imports.ts';
import { checkout, runCommand, startService, temporaryFolder } from '../support/service.ts';
import { claim } from './claims.ts';
import { caseFolder, exampleRequest, post } from './example.ts';

const state = temporaryFolder({ after });
const service = await startService(['--evidence', join(caseFolder, 'evidence'), '--state', state]);
after(() => service.stop());

claim(1, async () => {
  assert.equal((await post(service.url, exampleRequest)).status, 200);
  assert.equal((await fetch(`${service.url}/v1/attribution`)).status, 405);
});

claim(2, async () => {
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
});

claim(3, () => {
  const { settings } = readSettings({ file: null, environment: {}, flags: {} });
  assert.equal(settings.listen.public, '127.0.0.1:8000');
});

claim(4, () => {
  const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
  assert.match(readme, /independent implementation/i);
  assert.match(readme, /reconstruction/i);
});

claim(5, async () => {
  const contract = await import('../../src/contract/index.ts');
  assert.equal(typeof contract.parseRequest, 'function');
  const imports = readImports(
    checkout,
    filesBelow(checkout, 'src/contract').filter(path => !path.endsWith('.test.ts')),
  );
  assert.deepEqual(
    imports.filter(({ to }) => !to.startsWith('src/contract/')),
    [],
  );
});

claim(6, () => {
  assert.equal(readFileSync(join(checkout, 'api/openapi.json'), 'utf8'), openapiText());
});

claim(7, async () => {
  const { code, stdout } = await runCommand(['openapi', 'export']);
  assert.equal(code, 0);
  assert.equal(stdout, openapiText());
});

claim(8, async () => {
  const { code } = await runCommand(['openapi', 'export'], { env: { ATTRIBUTION_NO_SUCH_SETTING: '1' } });
  assert.equal(code, 0);
});

const loadedByExport = async (): Promise<readonly string[]> => {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { process._rawDebug('loaded ' + url); return next(url, context); } });
  `;
  const { stderr } = await runCommand(['openapi', 'export'], {
    env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` },
  });
  return [...stderr.matchAll(/^loaded file:\/\/\S*\/(src\/\S+)$/gm)].map(match => match[1] ?? '');
};

claim(9, async () => {
  const loaded = await loadedByExport();
  assert.ok(loaded.includes('src/contract/openapi.ts'));
  assert.deepEqual(
    loaded.filter(path =>
      /^src\/(providers|evidence|engine|sessions|storage|adapter|config|http)\//.test(path),
    ),
    [],
  );
});

claim(10, async () => {
  assert.deepEqual(
    (await loadedByExport()).filter(path => path.startsWith('src/app')),
    [],
  );
});

claim(43, async () => {
  const response = await fetch(`${service.url}/healthz`);
  assert.equal(await response.text(), '{"status":"ok"}');
  assert.equal(response.headers.get('content-type'), 'application/json');
});

claim(46, async () => {
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=1' };
  const plain = await post(service.url, exampleRequest);
  for (const headers of [trace, { traceparent: 'nonsense' }, { tracestate: 'x'.repeat(20_000) }]) {
    const traced = await post(service.url, exampleRequest, headers);
    assert.equal(traced.status, plain.status);
  }
  await post(service.url, exampleRequest, trace);
  assert.match(service.stderr(), /0af7651916cd43dd8448eb211c80319c/);
});

claim(47, async () => {
  const foreign = await post(service.url, { ...exampleRequest, schema_version: '9.9' });
  assert.equal(foreign.status, 200);
  assert.equal(foreign.body.schema_version, '0.1.0');
});

claim(45, async () => {
  await post(service.url, { ...exampleRequest, user_id: 'user-who-asked' });
  assert.doesNotMatch(service.stderr(), /user-who-asked/);
  const { statSync } = await import('node:fs');
  assert.equal(statSync(state).mode & 0o077, 0);
  assert.equal(statSync(join(state, 'state.sqlite')).mode & 0o077, 0);
});
