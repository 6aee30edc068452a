import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { caseFolder, post } from '../conformance/example.ts';
import { startService, temporaryFolder } from '../support/service.ts';

test('a session survives: fast, kill -9, start, slow with the returned id continues', async context => {
  const args = ['--evidence', join(caseFolder, 'evidence'), '--state', temporaryFolder(context)];
  const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as { scope: object };
  const first = await startService(args);
  const fast = await post(first.url, request);
  await first.kill();

  const second = await startService(args);
  context.after(() => second.kill());
  const scope = { ...request.scope, start_time: '2026-03-02T10:15:00Z', end_time: '2026-03-02T10:18:00Z' };
  const slow = await post(second.url, {
    ...request,
    phase: 'slow',
    scope,
    continue_session: fast.body.attribution_session_id,
  });
  assert.notEqual(fast.body.attribution_session_id, null);
  assert.equal(slow.body.attribution_session_id, fast.body.attribution_session_id);
  assert.deepEqual(
    slow.body.attributions.map(finding => finding.target),
    [{ type: 'Node', node: 'node-03' }],
  );
  assert.equal(await second.stop(), 0);
});
