import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { caseFolder, post } from '../conformance/example.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';

test('an answer is shown after a restart, by request, session or workload, with what it was made from', async context => {
  const state = temporaryFolder(context);
  const operations = `127.0.0.1:${await freePort()}`;
  const service = await startService(['--evidence', join(caseFolder, 'evidence'), '--state', state], {
    ATTRIBUTION_LISTEN_OPERATIONS: operations,
  });
  const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as {
    readonly workload_id: string;
  };
  const { body } = await post(service.url, request);
  const url = `http://${operations}/v1/answers/${body.request_id}`;
  const { answers } = (await (await fetch(url)).json()) as { answers: { answer: object }[] };
  assert.deepEqual(answers[0]?.answer, body);
  assert.equal((await fetch(`http://${operations}/v1/answers/none`)).status, 404);
  // What was acknowledged is there also after the hardest of ends.
  await service.kill();

  for (const id of [body.request_id, body.attribution_session_id ?? '', request.workload_id]) {
    const { code, stdout } = await runCommand(['show', id, '--state', state]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^ANSWER  ${body.request_id}  `));
    assert.match(stdout, /NODE {2}node-03 {2}accelerator_gpu/);
    assert.match(stdout, /GPU has fallen off the bus\.\n +\[evidence .*kernel\/node-03\.log:87\]/);
    assert.match(stdout, /saw {3}Watchdog .*: suffered/);
    assert.match(stdout, /seen {2}evidence kernel {2}complete 4 \(node-\[01-04\]\)/);
    assert.match(stdout, /from {2}evidence_sha256 [0-9a-f]{64}\n/);
  }
  const json = await runCommand(['show', body.request_id, '--state', state, '-o', 'json']);
  assert.deepEqual((JSON.parse(json.stdout) as { answer: object }).answer, body);

  const unknown = await runCommand(['show', 'none', '--state', state]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /no answer is kept of a request, session or workload of that id/);
});

test('where there is no store, that is said and none is made', async context => {
  const missing = await runCommand(['show', 'x', '--state', join(temporaryFolder(context), 'none')]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /there is no state file .*none\/state\.sqlite: name its folder by --state/);
  const memory = await runCommand(['show', 'x'], { env: { ATTRIBUTION_SESSIONS_STORE: 'memory' } });
  assert.equal(memory.code, 2);
  assert.match(memory.stderr, /sessions\.store is memory/);
});
