import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { caseFolder, post } from '../conformance/example.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';

const request = readFileSync(join(caseFolder, 'request.json'), 'utf8');

test("in shadow nothing is told, what would have been is kept, and its history is no other service's", async context => {
  const state = temporaryFolder(context);
  const operations = `127.0.0.1:${await freePort()}`;
  const args = ['--evidence', join(caseFolder, 'evidence'), '--state', state];
  const get = async (path: string) => (await fetch(`http://${operations}${path}`)).text();
  const clusters = async (): Promise<ReadonlySet<string>> => {
    const { rows } = JSON.parse(await get('/v1/history')) as { rows: { cluster: string }[] };
    return new Set(rows.map(({ cluster }) => cluster));
  };

  const shadow = await startService(args, {
    ATTRIBUTION_LISTEN_OPERATIONS: operations,
    ATTRIBUTION_SHADOW: 'true',
  });
  context.after(() => shadow.kill());
  const { status, body } = await post(shadow.url, request);
  assert.equal(status, 200);
  assert.deepEqual([body.attributions, body.unattributed_targets, body.error], [[], [], null]);
  assert.match(body.service_version, /\+corpus\.[0-9a-f]{12}\.shadow$/);
  const metrics = await get('/metrics');
  assert.match(metrics, /^attribution_requests_total\{phase="fast",outcome="attributed",mode="shadow"\} 1$/m);
  assert.match(
    metrics,
    /^attribution_verdicts_total\{target="Node",category="accelerator_gpu",mode="shadow"\} 1$/m,
  );
  assert.deepEqual(await clusters(), new Set(['shadow of unknown']));
  await shadow.stop();
  assert.match(shadow.stderr(), /"msg":"shadow mode: /);

  const shown = await runCommand(['show', body.request_id, '--state', state]);
  assert.match(shown.stdout, /in shadow mode: the caller got an empty answer/);
  assert.match(shown.stdout, /NODE {2}node-03 {2}accelerator_gpu/);

  const live = await startService(args, { ATTRIBUTION_LISTEN_OPERATIONS: operations });
  context.after(() => live.kill());
  const told = await post(live.url, request);
  assert.deepEqual(
    told.body.attributions.map(({ target }) => target.node),
    ['node-03'],
  );
  // Side by side: neither replaced the other.
  assert.deepEqual(await clusters(), new Set(['shadow of unknown', 'unknown']));
  await live.stop();
});
