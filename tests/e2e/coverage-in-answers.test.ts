import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openapiText, readResponse } from '../../src/contract/index.ts';
import { checkout, startService, temporaryFolder } from '../support/service.ts';

const folder = join(checkout, 'cases/xid-79-while-peers-time-out');
const published = [
  'schema_version',
  'service_id',
  'service_version',
  'request_id',
  'attribution_session_id',
  'attributions',
  'unattributed_targets',
  'error',
];

test('one setting adds coverage to answers, and the published document stays as it is', async context => {
  const state = temporaryFolder(context);
  const args = ['--evidence', join(folder, 'evidence'), '--state', state];
  const ask = async (environment: Readonly<Record<string, string>>) => {
    const service = await startService(args, environment);
    try {
      const body = readFileSync(join(folder, 'request.json'));
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${service.url}/v1/attribution`, { method: 'POST', headers, body });
      return { text: await answer.text(), log: service.stderr() };
    } finally {
      await service.stop();
    }
  };
  const plain = await ask({});
  assert.deepEqual(Object.keys(JSON.parse(plain.text) as object), published);
  assert.match(plain.log, /evidence kernel: complete 4/);

  const more = await ask({ ATTRIBUTION_CONTRACT_COVERAGE: 'true' });
  const answer = JSON.parse(more.text) as { coverage: { origin: string; groups: { status: string }[] }[] };
  assert.deepEqual(Object.keys(answer), [...published, 'coverage']);
  const kernel = answer.coverage.find(({ origin }) => origin === 'kernel');
  assert.deepEqual(
    kernel?.groups.map(({ status }) => status),
    ['complete'],
  );
  assert.deepEqual(readResponse(more.text)?.attributions[0]?.target, { type: 'Node', node: 'node-03' });
  assert.doesNotMatch(openapiText(), /"coverage"/);
});
