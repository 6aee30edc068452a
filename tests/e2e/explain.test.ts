import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { explanationToWire, type WireExplanation } from '../../src/contract/index.ts';
import { databaseSessionStore } from '../../src/sessions/database-store.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { caseFolder, post } from '../conformance/example.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';
import { silentLog } from '../support/silent-log.ts';

const evidence = join(caseFolder, 'evidence');
const roles = ['initiating', 'cascade', 'teardown', 'context', 'unknown'];

test('analyze --explain says, a line each, why and what would have changed it', async () => {
  const plain = await runCommand(['analyze', evidence]);
  const { code, stdout } = await runCommand(['analyze', '--explain', evidence]);
  assert.equal(code, 0);
  const lines = stdout.split('\n');
  assert.ok(lines.some(line => /^ {2}else {2}without .*: nobody would be named$/.test(line)));
  assert.ok(
    lines.some(line =>
      / {2}initiating .* on node-03, once: unexplained, .*\[gpu\/xid xid-79 S1, rule\]/.test(line),
    ),
  );
  assert.ok(lines.some(line => /^ {2}cascade .*follows from .*inhibition\]$/.test(line)));
  assert.ok(lines.some(line => /^ {2}teardown .*guard after-end\]$/.test(line)));
  // The verdict stays word by word.
  const verdict = (text: string): string => text.slice(0, text.indexOf('\n  note'));
  assert.equal(verdict(stdout), verdict(plain.stdout));
});

test('analyze --explain -o json gives every symptom its role and reason, and causes that are there', async () => {
  const without = await runCommand(['analyze', '-o', 'json', evidence]);
  assert.equal('explanation' in (JSON.parse(without.stdout) as object), false);
  const { explanation } = await explained(evidence);
  assert.ok(explanation.symptoms.length > 50);
  const ids = new Set(explanation.symptoms.map(({ id }) => id));
  for (const { id, role, reason } of explanation.symptoms) {
    assert.ok(roles.includes(role), role);
    assert.ok(reason !== null && reason.text !== '', id);
    assert.match(reason.kind, /^(rule|inhibition|guard)$/);
    assert.ok(reason.cause === null || ids.has(reason.cause), id);
  }
  assert.deepEqual(explanation.changes?.[0]?.verdict, { targets: [], error: null });
});

test('no secret of a cited line is explained', async context => {
  const copy = join(temporaryFolder(context), 'evidence');
  cpSync(evidence, copy, { recursive: true });
  const line = readFileSync(join(copy, 'kernel/node-03.log'), 'utf8')
    .split('\n')
    .find(each => each.includes('fallen off'));
  assert.ok(line !== undefined);
  appendFileSync(join(copy, 'kernel/node-04.log'), `${line} password=hunter22 \u001b[31mred\n`);
  const { stdout, explanation } = await explained(copy);
  const seen = explanation.symptoms.find(({ node, code }) => node === 'node-04' && code === 'xid-79');
  assert.match(seen?.evidence?.message ?? '', /\[redacted\]/);
  assert.doesNotMatch(stdout, /hunter22|\\u001b/);
});

test('a service keeps the same with the session of its answer', { timeout: 60_000 }, async context => {
  const state = join(temporaryFolder(context), 'state');
  const service = await startService(['--evidence', evidence, '--state', state]);
  context.after(() => service.kill());
  const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as {
    workload_id: string;
    workload_context: { workflow_id: string; attempt_index: number };
  };
  const { body } = await post(service.url, request);
  assert.equal(await service.stop(), 0);

  const database = await openDatabase({ file: join(state, 'state.sqlite') });
  context.after(() => database.close());
  const store = databaseSessionStore({ database, clock: systemClock, log: silentLog });
  const { workflow_id: workflowId, attempt_index: attemptIndex } = request.workload_context;
  const binding = { workloadId: request.workload_id, workflowId, attemptIndex, caller: null };
  const session = await store.get(body.attribution_session_id ?? '', binding);
  assert.ok(session !== null);
  const kept = explanationToWire(session, text => text);
  const { explanation } = await explained(evidence);
  const gist = ({ symptoms }: WireExplanation) =>
    symptoms
      .filter(({ role }) => role === 'initiating' || role === 'cascade')
      .map(({ title, node, role, reason }) => `${title} ${node} ${role} ${reason?.text}`)
      .sort();
  assert.deepEqual(gist(kept), gist(explanation));
  const said = ({ changes }: WireExplanation) => changes?.map(change => [change.said, change.verdict]);
  assert.deepEqual(said(kept), said(explanation));
});

async function explained(folder: string): Promise<{ stdout: string; explanation: WireExplanation }> {
  const { code, stdout, stderr } = await runCommand(['analyze', '--explain', '-o', 'json', folder]);
  assert.equal(code, 0, stderr);
  return { stdout, explanation: (JSON.parse(stdout) as { explanation: WireExplanation }).explanation };
}
