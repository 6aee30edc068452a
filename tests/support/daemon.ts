import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program of somebody else that runs as long as a test needs it. */
export interface Daemon {
  readonly pid: number;
  /** Ends it: politely, then for good. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** What it wrote, for the message of a failed start. */
  output(): string;
}

export function startDaemon(
  program: string,
  parameters: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Daemon {
  // Whatever becomes of the test, the kernel ends what it started.
  const leash = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : [];
  const [first = program, ...others] = [...leash, program, ...parameters];
  const child: ChildProcess = spawn(first, others, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  });
  let output = '';
  const gather = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-4000);
  };
  child.stdout?.on('data', gather);
  child.stderr?.on('data', gather);
  child.on('error', error => {
    output += error.message;
  });
  const ended = once(child, 'exit').catch(() => {});
  return {
    pid: child.pid ?? 0,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Waits until something holds; throws with `what` and what the daemons wrote where it never does. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  limitMs: number,
  daemons: readonly Daemon[] = [],
): Promise<void> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      if (await holds()) return;
    } catch {
      // Not yet.
    }
    if (performance.now() > end) {
      throw new Error(`${what}: not within ${limitMs} ms\n${daemons.map(each => each.output()).join('\n')}`);
    }
    await sleep(200);
  }
}
