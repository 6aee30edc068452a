import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseRequest } from '../../src/contract/index.ts';
import { until } from '../support/daemon.ts';
import { type FakeServer, type FakeServerOptions, startFakeServer } from '../support/fakes/fake-server.ts';
import { testCertificate, testKey } from '../support/fakes/test-certificates.ts';
import { checkout, type RunningService, startService, temporaryFolder } from '../support/service.ts';

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
  more = '',
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
    `ATTRIBUTION_URL=${server.url}\nATTRIBUTION_ANSWERS=${answers}\nATTRIBUTION_DELAY_S=0\nATTRIBUTION_TIMEOUT_MS=5000\n${more}`,
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

describe('a service with tokens and TLS', () => {
  const token = 'Zq3-token_of.the~hook';
  const folder = temporaryFolder({ after });
  let service: RunningService;
  before(async () => {
    writeFileSync(join(folder, 'server.pem'), testCertificate);
    writeFileSync(join(folder, 'server.key'), testKey, { mode: 0o600 });
    const sha256 = createHash('sha256').update(token).digest('hex');
    const tls = { certificate: join(folder, 'server.pem'), key: join(folder, 'server.key') };
    const settings = { tls, callers: { tokens: [{ name: 'slurm-hook', sha256: [sha256] }] } };
    writeFileSync(join(folder, 'config.yaml'), JSON.stringify(settings));
    const evidence = join(checkout, 'cases/xid-79-while-peers-time-out/evidence');
    service = await startService(['--config', join(folder, 'config.yaml'), '--evidence', evidence]);
  });
  after(() => service.stop());

  /** Runs the hook with this token file; what is kept of it, and every command line of curl. */
  async function answered(
    context: { after(run: () => unknown): void },
    mode: number,
  ): Promise<{ readonly answer: string; readonly commandLines: string }> {
    const file = join(temporaryFolder(context), 'hook.token');
    writeFileSync(file, `${token}\n`, { mode });
    chmodSync(file, mode);
    const commandLines = join(temporaryFolder(context), 'command-lines');
    writeFileSync(commandLines, '');
    const programs = temporaryFolder(context);
    const curl = `#!/bin/sh\nprintf '%s\\n' "$*" >>${commandLines}\nPATH=${process.env['PATH']}\nexec curl "$@"\n`;
    writeFileSync(join(programs, 'curl'), curl, { mode: 0o755 });
    const url = service.url.replace('127.0.0.1', 'localhost');
    const more = `PATH=${programs}:$PATH\nATTRIBUTION_URL=${url}\nATTRIBUTION_TOKEN_FILE=${file}\nATTRIBUTION_CA_FILE=${join(folder, 'server.pem')}\n`;
    const { answers, run } = await hooked(context, expands, {}, more);
    const { code } = run({ SLURM_JOB_EXIT_CODE: '256' });
    assert.equal(code, 0);
    const kept = join(answers, '42.json');
    await until('the answer is kept', () => existsSync(kept) && readFileSync(kept, 'utf8') !== '', 20_000);
    return { answer: readFileSync(kept, 'utf8'), commandLines: readFileSync(commandLines, 'utf8') };
  }

  test('is asked with the token of the file, which stands on no command line and in no answer', async context => {
    const { answer, commandLines } = await answered(context, 0o600);
    assert.ok('attributions' in (JSON.parse(answer) as object), answer);
    assert.match(commandLines, /\/v1\/attribution/);
    assert.ok(!(answer + commandLines).includes(token));
  });

  test('is not asked with a token that others may read, and the answer says why', async context => {
    const { answer, commandLines } = await answered(context, 0o644);
    assert.match(answer, /^not asked: ATTRIBUTION_TOKEN_FILE \S+ can be read by others: chmod 600 it$/m);
    assert.equal(commandLines, '');
  });
});
