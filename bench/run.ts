import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `make bench`: every benchmark in a process of its own, one after another. `--small` takes a hundredth of the text, so
 * that CI sees them run; figures for the README come from the whole. Other arguments choose benchmarks by name.
 */
interface Benchmark {
  readonly name: string;
  readonly whole: readonly string[];
  /** Too little text for a verdict on speed: results are still compared. */
  readonly small: readonly string[];
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'recognition',
    whole: [],
    small: ['--mixed-mb', '10', '--varied-mb', '5', '--rounds', '2', '--least-ratio', '0'],
  },
  { name: 'floods', whole: [], small: ['2', '0'] },
  { name: 'job-log', whole: [], small: ['2'] },
  { name: 'gigabyte-request', whole: [], small: ['20'] },
  { name: 'overhead', whole: [], small: ['1', '1'] },
  { name: 'memory-growth', whole: [], small: ['1'] },
];

const { values, positionals } = parseArgs({
  options: { small: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter(name => !benchmarks.some(each => each.name === name));
if (unknown.length > 0) {
  console.error(
    `there is no benchmark ${unknown.join(', ')}: choose from ${benchmarks.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
const failed: string[] = [];
for (const { name, whole, small } of benchmarks) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n== ${name}`);
  const args = [join(import.meta.dirname, `${name}.ts`), ...(values.small ? small : whole)];
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.log(`\nmissed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
