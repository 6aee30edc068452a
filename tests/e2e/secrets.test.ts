import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { linesOf, requestAbout, seededJobs, writeSeededEvidence } from '../secrets/seeded-evidence.ts';
import { facts, leakOf, seededSecrets } from '../secrets/seeded-secrets.ts';
import { dialectClient } from '../support/dialect-client.ts';
import { startFakeServer } from '../support/fakes/fake-server.ts';
import { freePort } from '../support/free-port.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';

const [firstJob] = seededJobs;
assert.ok(firstJob !== undefined);

/** Fails where one of the secrets can be read out of what somewhere left the process. */
function assertClean(where: string, left: string): void {
  // A text in JSON is escaped once more than it was where it was read.
  const unescaped = left.replaceAll('\\\\', '\\');
  for (const seeded of seededSecrets) {
    const leak = leakOf(seeded, left) ?? leakOf(seeded, unescaped);
    assert.equal(leak, null, `${where}: ${seeded.form} in ${seeded.surrounding}`);
  }
}

interface Answer {
  readonly request_id: string;
  readonly attributions: readonly { readonly evidence: readonly { readonly message: string }[] }[];
}

test('no secret of 200 leaves a service by answers, history, records, logs, metrics or traces', async context => {
  const folder = temporaryFolder(context);
  const evidence = join(folder, 'evidence');
  writeSeededEvidence(evidence);
  const config = join(folder, 'config.yaml');
  const templates = [{ path: '{workload_id}/kernel/{node}.log', origin: 'kernel' }];
  const refusing = await startFakeServer(() => ({
    status: 500,
    type: 'text/plain',
    body: seededSecrets.map(({ text }) => text).join('\n'),
  }));
  writeFileSync(
    config,
    stringify({
      contract: { coverage: true },
      attributor: { enabled: true },
      log: { level: 'debug' },
      sources: [
        { name: 'logs', kind: 'files', roots: [{ path: evidence, templates }] },
        { name: 'store', kind: 'loki', url: refusing.url, retries: 0 },
      ],
    }),
  );
  const [operations, attributor] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const receiver = await startOtlpReceiver();
  context.after(() => Promise.all([receiver.close(), refusing.close()]));
  const service = await startService(['--state', join(folder, 'state')], {
    ATTRIBUTION_CONFIG: config,
    ATTRIBUTION_LISTEN_OPERATIONS: operations,
    ATTRIBUTION_LISTEN_ATTRIBUTOR: attributor,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
  const ids: string[] = [];
  try {
    let cited = 0;
    for (const { workloadId, secrets } of seededJobs) {
      const answered = await fetch(`${service.url}/v1/attribution`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: requestAbout(workloadId),
      });
      const text = await answered.text();
      assertClean('an answer', text);
      const answer = JSON.parse(text) as Answer;
      ids.push(answer.request_id);
      const messages = answer.attributions.flatMap(({ evidence: items }) =>
        items.map(({ message }) => message),
      );
      assert.equal(messages.length, secrets.length, text);
      for (const message of messages) {
        assert.match(message, /\[redacted\]/);
        for (const fact of Object.values(facts)) assert.ok(message.includes(String(fact)), message);
      }
      cited += messages.length;
    }
    assert.equal(cited, 200);

    // A body that is refused is told back to whoever sent it, and to nobody else.
    for (const { text } of seededSecrets.slice(0, 20)) {
      const body = JSON.stringify({ workload_id: text, phase: text });
      const headers = { 'content-type': 'application/json', traceparent: text.replaceAll(/[^\x20-\x7e]/g, '') };
      assert.equal(
        (await fetch(`${service.url}/v1/attribution`, { method: 'POST', headers, body })).status,
        422,
      );
    }

    const client = dialectClient(`http://${attributor}/latest`);
    for (const job of seededJobs) {
      const id = await client.create(job.workloadId, 1, [facts.node]);
      assert.ok((await client.observe(id, facts.node, linesOf(job))).ok);
      assertClean('a read of an attributor', JSON.stringify(await client.read(id)));
    }
    const search = { method: 'POST', body: '{"size":1000,"query":{"match_all":{}}}' };
    for (const path of ['/_search', '/latest/_search']) {
      assertClean('a search', await (await fetch(`http://${attributor}${path}`, search)).text());
    }
    const reads = ['/readyz', '/metrics', '/v1/history?limit=1000', ...ids.map(id => `/v1/answers/${id}`)];
    for (const path of reads) assertClean(path, await (await fetch(`http://${operations}${path}`)).text());
  } finally {
    await service.stop();
  }
  assertClean('the log', service.stderr());
  assert.match(service.stderr(), /"msg":"request refused"/);
  const spans = JSON.stringify(receiver.spans, (_, value: unknown) => (typeof value === 'bigint' ? '' : value));
  assert.ok(receiver.spans.length >= seededJobs.length);
  assertClean('traces', spans);
  for (const id of ids.slice(0, 2)) {
    const shown = await runCommand(['show', id, '--state', join(folder, 'state')], {
      env: { ATTRIBUTION_CONFIG: config },
    });
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /\[redacted\]/);
    assertClean('show', shown.stdout + shown.stderr);
  }
});

test('no secret of 200 is printed by analyze, for people, for programs or with reasons', async context => {
  const kernel = join(temporaryFolder(context), 'kernel');
  mkdirSync(kernel);
  for (const [index, job] of seededJobs.entries()) {
    const node = `node-${String(100 + index)}`;
    const lines = linesOf(job).map(
      (line, at) => `2026-11-30T12:03:0${at}.000000+00:00 ${node} kernel: ${line}\n`,
    );
    writeFileSync(join(kernel, `${node}.log`), lines.join(''));
  }
  for (const options of [[], ['--explain'], ['-o', 'json', '--explain']]) {
    const told = await runCommand(['analyze', join(kernel, '..'), ...options]);
    assertClean(`analyze ${options.join(' ')}`, told.stdout + told.stderr);
    assert.ok(told.stdout.includes(facts.pci), told.stdout);
    if (options.includes('json')) assert.ok(told.stdout.split('[redacted]').length > 60);
  }
});

test('secrets in settings are not told when something is wrong with them, nor when they are shown', async context => {
  const folder = temporaryFolder(context);
  const secret = 'hunter2-of-the-store';
  const config = join(folder, 'config.yaml');
  const source = { name: 'store', kind: 'loki', url: `http://reader:${secret}@127.0.0.1:1`, retries: 0 };
  const wrong = [
    { sources: [source] },
    { sources: [{ ...source, url: `nowhere://reader:${secret}@x` }] },
    { sources: [{ ...source, url: 'http://127.0.0.1:1', password: secret }] },
    { sources: [{ ...source, url: 'http://127.0.0.1:1', headers: { authorization: `Bearer ${secret}` } }] },
    { sources: [{ ...source, url: 'http://127.0.0.1:1', bearerToken: secret, mostLines: 'x' }] },
    { postgres: { url: `postgres://reader:${secret}@127.0.0.1:1/x` }, sessions: { store: 'postgres' } },
    { postgres: { password: secret, host: 4 } },
    { listen: { public: `http://reader:${secret}@x` } },
  ];
  for (const settings of wrong) {
    writeFileSync(config, stringify(settings));
    for (const command of [['config', 'check'], ['config', 'show'], ['doctor']].slice(
      0,
      settings === wrong[0] ? 3 : 2,
    )) {
      const told = await runCommand(command, { env: { ATTRIBUTION_CONFIG: config } });
      assert.ok(
        !`${told.stdout}${told.stderr}`.includes(secret),
        `${command.join(' ')}: ${told.stdout}${told.stderr}`,
      );
    }
  }
});
