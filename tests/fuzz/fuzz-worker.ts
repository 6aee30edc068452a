import { parentPort, workerData } from 'node:worker_threads';
import { fuzzedParsers } from './fuzzed-parsers.ts';
import { type FuzzPlan, runParser } from './run-parser.ts';

/** Runs plans in a thread that can be ended from outside, telling there which run it is at. */
const at = new Int32Array(workerData as SharedArrayBuffer);

parentPort?.on('message', async ({ parser: name, plan }: { parser: string; plan: FuzzPlan }) => {
  const parser = fuzzedParsers.find(each => each.name === name);
  if (parser === undefined) throw new Error(`no parser is called ${name}`);
  parentPort?.postMessage(await runParser(parser, plan, run => Atomics.store(at, 0, run)));
});
