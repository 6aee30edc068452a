import { Command, CommanderError } from 'commander';
import { StartupError } from '../core/errors.ts';
import type { AddCommand } from './command.ts';
import { packageVersion } from './package-version.ts';

/** Exit codes: 0 ran, 1 runtime failure, 2 usage or configuration, 3 rule errors. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = new Command('attribution-adapter')
    .description('Names the faulty node of a failed GPU training job, or says that it cannot.')
    .version(versionText(), '--version')
    .option('--config <file>', 'configuration file')
    .option('--no-color', 'print without colour')
    .showHelpAfterError('(--help lists what there is)')
    .exitOverride();
  endWithOutput();
  let exitCode = 0;
  const finish = (code: number): void => {
    exitCode = code;
  };
  for (const add of await commands()) add(program, finish);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFailure(error);
  }
}

async function commands(): Promise<readonly AddCommand[]> {
  const { commandList } = await import('./commands.ts');
  return commandList;
}

const outputFailure = 1;

/** A reader that has seen enough (`| head`) ends the command quietly; a full disk ends it with one line. */
function endWithOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`attribution-adapter: cannot write the output (${error.code})\n`);
    process.exit(outputFailure);
  });
}

function versionText(): string {
  return `attribution-adapter ${packageVersion()} (contract schema 0.1.0)`;
}

function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof StartupError) {
    for (const line of error.message.split('\n')) process.stderr.write(`attribution-adapter: ${line}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `attribution-adapter: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}
