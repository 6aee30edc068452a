import { availableParallelism } from 'node:os';
import { openCorpus } from '../app/engine.ts';
import type { ReadResponse } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import { createLog } from '../telemetry/log.ts';
import { bigintAsText } from './bigint-text.ts';
import { type CaseStep, readCaseFolder } from './case-folder.ts';
import type { GlobalOptions } from './command.ts';
import { compareExpected } from './compare-expected.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';
import { openReplays } from './replay-case.ts';
import { styleFor } from './terminal.ts';
import { verdictText } from './verdict-text.ts';

/** Answers a recorded case and compares with what it expects; 1 where the answer differs. */
export async function replay(
  path: string,
  options: Readonly<Record<string, string>>,
  globals: GlobalOptions,
): Promise<number> {
  const form = options['output'] ?? 'table';
  if (form !== 'table' && form !== 'json') throw new StartupError(`-o ${form}: must be one of table, json`);
  const folder = await readCaseFolder(path);
  const replays = openReplays({
    corpus: await openCorpus(loadSettings(globals).settings.rules),
    log: createLog({ level: 'warn' }),
    packageVersion: packageVersion(),
    workers: availableParallelism(),
  });
  const answers = await replays.replay(folder).finally(() => replays.close());
  const style = styleFor(process.stdout, globals.color, process.env);
  const show = (phase: 'fast' | 'slow', response: ReadResponse, step: CaseStep): number => {
    const differences = compareExpected(response, step.expected, answers.explained[phase]);
    if (form === 'json')
      process.stdout.write(`${JSON.stringify({ phase, answer: response, differences }, bigintAsText)}\n`);
    else {
      process.stdout.write(
        `${phase} answer to: ${folder.title}\n${verdictText(response, style, process.cwd())}`,
      );
      process.stdout.write(
        differences.length === 0 ? '  as expected\n' : differences.map(line => `  differs: ${line}\n`).join(''),
      );
    }
    return differences.length;
  };
  const differences =
    show('fast', answers.fast, folder.fast) +
    (answers.slow !== null && folder.slow !== null ? show('slow', answers.slow, folder.slow) : 0);
  return differences === 0 ? 0 : 1;
}
