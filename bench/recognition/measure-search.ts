import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CorpusFile } from './corpus-file.ts';

/** What a program said, and how long it took from its start to its end. */
export interface Searched {
  readonly seconds: number;
  /** Sum of the numbers it printed: matching lines, or lines. */
  readonly count: number;
}

/** Runs a program that prints a count for each file, as `path:count`, `count path` or the count alone. */
export async function runCounting(program: string, args: readonly string[]): Promise<Searched> {
  const start = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - start) / 1000;
  // 1 says that a file without a match was among them.
  if (code !== 0 && code !== 1) throw new Error(`${program} ended with ${code}`);
  const counts = stdout
    .split('\n')
    .filter(line => line !== '' && !line.endsWith(' total'))
    .map(line => Number(/(\d+)$/.exec(line)?.[1] ?? /^\s*(\d+)/.exec(line)?.[1] ?? 0));
  return { seconds, count: counts.reduce((sum, count) => sum + count, 0) };
}

/** ripgrep over files, as an operator would call it at its fastest. */
export function ripgrep(keywords: string, files: readonly CorpusFile[], threads: number): Promise<Searched> {
  const how = ['-F', '-i', '--no-unicode', '--encoding', 'none', '-a', '-c', '-I', '--no-config'];
  return runCounting('rg', [...how, `-j${threads}`, '-f', keywords, ...files.map(({ path }) => path)]);
}

export function grep(keywords: string, files: readonly CorpusFile[]): Promise<Searched> {
  return runCounting('grep', ['-F', '-i', '-a', '-c', '-h', '-f', keywords, ...files.map(({ path }) => path)]);
}

export function countLines(files: readonly CorpusFile[]): Promise<Searched> {
  return runCounting('wc', ['-l', ...files.map(({ path }) => path)]);
}
