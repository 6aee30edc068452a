import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRequest } from '../../src/contract/index.ts';
import { until } from '../support/daemon.ts';
import { type FakeServer, type FakeServerOptions, startFakeServer } from '../support/fakes/fake-server.ts';
import { checkout, temporaryFolder } from '../support/service.ts';

const hook = join(checkout, 'deploy/slurm/epilog-slurmctld.sh');
/** Longer than a hook may hold up the controller, shorter than the service takes. */
const promptMs = 3000;

interface Hooked {
  readonly server: FakeServer;
  readonly answers: string;
  run(variables: Readonly<Record<string, string>>): { readonly code: number | null; readonly ms: number };
}

/** The hook with a service of ours, and with `scontrol` as a script that prints what Slurm would. */
async function hooked(
  context: { after(run: () => unknown): void },
  scontrol: string,
  options: FakeServerOptions = {},
): Promise<Hooked> {
  const folder = temporaryFolder(context);
  const server = await startFakeServer(
    () => ({ status: 200, type: 'application/json', body: '{"ok":true}' }),
    options,
  );
  context.after(() => server.close());
  const answers = join(folder, 'answers');
  mkdirSync(answers);
  const settings = join(folder, 'hook.conf');
  writeFileSync(
    settings,
    `ATTRIBUTION_URL=${server.url}\nATTRIBUTION_ANSWERS=${answers}\nATTRIBUTION_DELAY_S=0\nATTRIBUTION_TIMEOUT_MS=5000\n`,
  );
  writeFileSync(join(folder, 'scontrol'), `#!/bin/sh\n${scontrol}\n`, { mode: 0o755 });
  return {
    server,
    answers,
    run(variables) {
      const began = performance.now();
      const { status } = spawnSync(hook, [], {
        env: {
          PATH: `${folder}:${process.env['PATH']}`,
          ATTRIBUTION_HOOK_SETTINGS: settings,
          SLURM_JOB_ID: '42',
          SLURM_JOB_NODELIST: 'node-[01-02]',
          SLURM_JOB_END_TIME: '1796126400',
          ...variables,
        },
      });
      return { code: status, ms: performance.now() - began };
    },
  };
}

const expands =
  'case "$*" in "show hostnames node-[01-02]") printf "node-01\\nnode-02\\n" ;; *) exit 1 ;; esac';

test('a failed job is asked about, as the contract wants it', async context => {
  const { server, answers, run } = await hooked(context, expands);
  const { code } = run({
    SLURM_JOB_EXIT_CODE: '256',
    SLURM_JOB_NAME: 'train "x", {"phase":"slow"}',
    SLURM_JOB_RESTART_COUNT: '2',
    SLURM_JOB_USER: 'user1',
  });
  assert.equal(code, 0);
  await until('the service is asked', () => server.requests.length === 1, 20_000);
  const [request] = server.requests;
  assert.equal(request?.path, '/v1/attribution');
  assert.deepEqual(JSON.parse(request?.body ?? ''), {
    schema_version: '0.1.0',
    workload_id: '42',
    scope: { nodes: ['node-01', 'node-02'] },
    failure_context: { detected_at: '2026-12-01T12:00:00Z', detection_signal: 'error' },
    timeout_ms: 5000,
    workload_context: {
      workflow_id: 'trainxphase:slow',
      attempt_index: 2,
      job_end_time: '2026-12-01T12:00:00Z',
    },
    phase: 'fast',
    user_id: 'user1',
  });
  const options = { naiveDatetimes: 'refuse', echoInput: true } as const;
  assert.equal(parseRequest(Buffer.from(request?.body ?? ''), 'application/json', options).ok, true);
  await until(
    'the answer is kept',
    () => readFileSync(join(answers, '42.json'), 'utf8').includes('"ok":true'),
    20_000,
  );
});

test('a task of an array goes by its own name', async context => {
  const { server, run } = await hooked(context, expands);
  run({ SLURM_JOB_EXIT_CODE: '9', SLURM_ARRAY_JOB_ID: '40', SLURM_ARRAY_TASK_ID: '7' });
  await until('the service is asked', () => server.requests.length === 1, 20_000);
  assert.match(server.requests[0]?.body ?? '', /"workload_id":"40_7"/);
});

test('without the command that expands host lists the service is left to ask Slurm', async context => {
  const { server, run } = await hooked(context, 'exit 1');
  run({ SLURM_JOB_EXIT_CODE: '256' });
  await until('the service is asked', () => server.requests.length === 1, 20_000);
  assert.match(server.requests[0]?.body ?? '', /"scope":\{"nodes":\[\]\}/);
});

test('a job that lost its node has the exit code 0, and is asked about all the same', async context => {
  const state = `case "$*" in "-o show job 42") echo "JobId=42 JobState=NODE_FAIL Reason=NodeDown" ;; *) ${expands} ;; esac`;
  const { server, run } = await hooked(context, state);
  run({ SLURM_JOB_EXIT_CODE: '0', SLURM_JOB_DERIVED_EC: '0' });
  await until('the service is asked', () => server.requests.length === 1, 20_000);
});

test('a job that is still being cleaned up after its node went down is asked about', async context => {
  const state = `case "$*" in "-o show job 42") echo "JobId=42 JobState=COMPLETING Reason=NodeDown" ;; *) ${expands} ;; esac`;
  const { server, run } = await hooked(context, state);
  run({ SLURM_JOB_EXIT_CODE: '0', SLURM_JOB_DERIVED_EC: '0' });
  await until('the service is asked', () => server.requests.length === 1, 20_000);
});

test('a job that ended well is not asked about', async context => {
  const { server, run } = await hooked(context, 'echo "JobId=42 JobState=COMPLETED"; touch "$0.called"');
  assert.equal(run({ SLURM_JOB_EXIT_CODE: '0', SLURM_JOB_DERIVED_EC: '0' }).code, 0);
  await new Promise(done => setTimeout(done, 1000));
  assert.equal(server.requests.length, 0);
});

test('a service that hangs, refuses or is not there neither holds up nor fails the hook', async context => {
  for (const options of [{ delayMs: 60_000 }, { fault: '500' as const }, { fault: 'refused' as const }]) {
    const { run } = await hooked(context, expands, options);
    const { code, ms } = run({ SLURM_JOB_EXIT_CODE: '256' });
    assert.equal(code, 0);
    assert.ok(ms < promptMs, `${ms} ms`);
  }
});
