import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readResponse } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import { readCaseFolder } from './case-folder.ts';
import type { GlobalOptions } from './command.ts';
import { compareExpected } from './compare-expected.ts';
import { styleFor } from './terminal.ts';
import { verdictText } from './verdict-text.ts';

/** Starts the service over a recorded failure, asks it as a recovery controller would, and prints the answer. */
export async function demo(path: string | undefined, globals: GlobalOptions): Promise<number> {
  const folder = await readCaseFolder(path ?? shippedCase());
  const state = await mkdtemp(join(tmpdir(), 'attribution-demo-'));
  const evidence = folder.fast.evidence.flatMap(root => ['--evidence', root]);
  const service = spawn(
    process.execPath,
    [process.argv[1] ?? '', 'serve', '--listen', '127.0.0.1:0', '--state', state, ...evidence],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ATTRIBUTION_LOG_LEVEL: 'warn', ATTRIBUTION_LISTEN_OPERATIONS: 'off' },
    },
  );
  try {
    const url = await listeningAddress(service);
    process.stdout.write(`a service listens on ${url}, over the logs of: ${folder.title}\n`);
    process.stdout.write(`POST ${url}/v1/attribution\n${requestText(folder.fast.request)}\n\n`);
    const response = await fetch(`${url}/v1/attribution`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(folder.fast.request),
    });
    const body = await response.text();
    process.stdout.write(`${response.status}, ${body.length} bytes:\n`);
    const answer = readResponse(body);
    if (answer === null) {
      process.stdout.write(`${body}\n`);
      return 1;
    }
    process.stdout.write(
      verdictText(answer, styleFor(process.stdout, globals.color, process.env), process.cwd()),
    );
    return compareExpected(answer, folder.fast.expected).length === 0 ? 0 : 1;
  } finally {
    service.kill('SIGTERM');
    if (service.exitCode === null) await once(service, 'exit');
    await rm(state, { recursive: true, force: true });
  }
}

const caseName = 'xid-79-while-peers-time-out';

function shippedCase(): string {
  const path = join(import.meta.dirname, '../..', 'cases', caseName);
  if (!existsSync(path))
    throw new StartupError(`the recorded case ${path} is missing: give the folder of a case`);
  return path;
}

async function listeningAddress(service: ChildProcess): Promise<string> {
  if (service.stdout !== null) {
    for await (const line of createInterface({ input: service.stdout })) {
      const address = line.split('listening on ')[1];
      if (address !== undefined) return address;
    }
  }
  throw new StartupError('the service ended before it listened: run "serve" by itself to see why', 1);
}

function requestText(body: Uint8Array): string {
  return JSON.stringify(JSON.parse(new TextDecoder().decode(body)));
}
