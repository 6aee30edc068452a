import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { corpusOf } from '../tests/fuzz/corpus.ts';
import { fuzzedParsers } from '../tests/fuzz/fuzzed-parsers.ts';
import { createFuzzer } from '../tests/fuzz/fuzzer.ts';
import { inputsOf } from '../tests/fuzz/inputs.ts';

/**
 * Fuzzes every parser of outside bytes: `make fuzz RUNS=1000000 SEED=1 PARSER=gzip`. Prints a line a parser, keeps the
 * input of every fault below `.cache/fuzz`, and fails where there is one or most inputs went no further than the first
 * step of parsing. `--from N` skips runs, so that a single one can be seen again.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    parser: { type: 'string' },
  },
});
const [seed, from, runs] = [values.seed, values.from, values.runs].map(Number);
const wanted = fuzzedParsers.filter(({ name }) => values.parser === undefined || name === values.parser);
if (
  seed === undefined ||
  from === undefined ||
  runs === undefined ||
  !Number.isSafeInteger(seed + from + runs)
) {
  throw new Error('--runs, --seed and --from are whole numbers');
}
if (wanted.length === 0) {
  throw new Error(
    `no parser is called ${values.parser}: there are ${fuzzedParsers.map(({ name }) => name).join(', ')}`,
  );
}
const folder = join(import.meta.dirname, '..', '.cache', 'fuzz');

const fuzzer = createFuzzer();
for (const parser of wanted) {
  const result = await fuzzer.fuzz(parser.name, { seed, from, runs });
  const share = result.reached / result.runs;
  const perSecond = Math.round(result.runs / Math.max(result.cpuMs / 1_000, 0.001));
  console.log(
    `${parser.name.padEnd(22)} ${result.runs} runs, ${(share * 100).toFixed(1)} % past the first step, ` +
      `${perSecond} a CPU second, slowest ${Math.round(result.slowestMs)} ms, ${result.faults.length} faults`,
  );
  if (share < 0.5) console.log(`  fewer than half went past the first step`);
  const inputs = inputsOf(parser, corpusOf(parser.name), seed);
  for (const { run, kind, says } of result.faults) {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${parser.name}-${seed}-${run}`);
    writeFileSync(file, inputs(run));
    console.log(`  ${kind} in run ${run}: ${says}\n    ${file}`);
  }
  if (share < 0.5 || result.faults.length > 0) process.exitCode = 1;
}
await fuzzer.close();
