import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const checkout = resolve(import.meta.dirname, '../..');
export const entry = join(checkout, 'src/main.ts');

/** Several services run at once in tests. */
const anyPort = { ATTRIBUTION_LISTEN_OPERATIONS: '127.0.0.1:0' };

/** A running `serve` process of this checkout. */
export interface RunningService {
  readonly url: string;
  readonly process: ChildProcess;
  readonly stderr: () => string;
  /** Ends it by SIGTERM and waits. */
  stop(): Promise<number | null>;
  /** Ends it by SIGKILL and waits. */
  kill(): Promise<void>;
}

/** Starts `serve` of a command on a free port of 127.0.0.1 and waits until it says where it listens. */
export async function startService(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  command: readonly [string, ...string[]] = [process.execPath, entry],
): Promise<RunningService> {
  const [program, ...before] = command;
  const child = spawn(program, [...before, 'serve', '--listen', '127.0.0.1:0', ...args], {
    env: { ...process.env, ...anyPort, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-1_000_000);
  });
  const url = await listeningAddress(child, () => stderr);
  return {
    url,
    process: child,
    stderr: () => stderr,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function listeningAddress(child: ChildProcess, stderr: () => string): Promise<string> {
  if (child.stdout === null) throw new Error('the service has no standard output');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const address = /listening on ((?:https?:\/\/|unix:)\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`the service ended before it listened:\n${stderr()}`);
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of this checkout to its end. */
export async function runCommand(
  args: readonly string[],
  options: {
    readonly node?: string;
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly entry?: string;
  } = {},
): Promise<CommandResult> {
  const child = spawn(options.node ?? process.execPath, [options.entry ?? entry, ...args], {
    cwd: options.cwd ?? checkout,
    env: { ...process.env, ...anyPort, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** A new folder that is gone after the test. */
export function temporaryFolder(context: { after(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
