import { spawn } from 'node:child_process';
import type { Clock } from '../../core/ports.ts';
import { type Told, trouble } from '../log-store/log-store.ts';

/** How commands are run: never through a shell, and with nothing of our own environment. */
export interface CommandSettings {
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

export interface CommandOutput {
  readonly text: string;
  readonly bytes: number;
  /** False where it printed more than is read; then the text is its beginning, and it was ended. */
  readonly complete: boolean;
  /** Null where it ended by a signal. */
  readonly exitCode: number | null;
  /** What it said of its own failure: to be interpreted, never to be shown. */
  readonly complaint: string;
}

export type RunCommand = (command: readonly string[], signal: AbortSignal) => Promise<Told<CommandOutput>>;

/** Where programs are looked for if a command names no path. */
const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/slurm/bin';
const complaintBytes = 4096;
/** How long a command that is to end may take for it. */
const politeMs = 200;

/**
 * Runs a command to its end. It fails where it cannot start or takes too long; whether it liked what it was asked is
 * for the caller to judge. Never rejects.
 */
export function commandRunner(settings: CommandSettings, clock: Clock): RunCommand {
  return (command, signal) => {
    const [program = '', ...parameters] = command;
    if (signal.aborted) return Promise.resolve(late);
    return new Promise(resolve => {
      const child = spawn(program, parameters, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: usualPath, LC_ALL: 'C', ...settings.environment, TZ: 'UTC' },
        shell: false,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      let complaint = '';
      let cut = false;
      const output = (exitCode: number | null): Told<CommandOutput> => ({
        ok: true,
        value: { text: Buffer.concat(chunks).toString('utf8'), bytes, complete: !cut, exitCode, complaint },
      });
      const stop = (why: () => Told<CommandOutput>): void => {
        if (cut) return;
        cut = true;
        child.kill();
        setTimeout(() => child.kill('SIGKILL'), politeMs).unref();
        end(why());
      };
      const abort = (): void => stop(() => late);
      const cancel = clock.after(settings.timeoutMs, () =>
        stop(() =>
          trouble('timed_out', `${nameOf(program)} did not end within ${settings.timeoutMs} ms (timeoutMs)`),
        ),
      );
      const end = (told: Told<CommandOutput>): void => {
        cancel();
        signal.removeEventListener('abort', abort);
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(told);
      };
      signal.addEventListener('abort', abort, { once: true });
      child.stdout.on('data', (chunk: Buffer) => {
        if (bytes + chunk.length <= settings.outputBytes) {
          bytes += chunk.length;
          chunks.push(chunk);
        } else {
          chunks.push(chunk.subarray(0, settings.outputBytes - bytes));
          bytes = settings.outputBytes;
          stop(() => output(null));
        }
      });
      child.stderr.on('data', (chunk: Buffer) => {
        if (complaint.length < complaintBytes) complaint += chunk.toString('utf8');
      });
      child.on('error', error => {
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
        if (!cut) end(trouble('failed', `${nameOf(program)} cannot be run (${code})`));
      });
      child.on('close', exitCode => {
        if (!cut) end(output(exitCode));
      });
    });
  };
}

const late = trouble('timed_out', 'was not waited for beyond the deadline');

/** Without the folder: paths of the configuration are nobody's business. */
export function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
