import type { Command } from 'commander';
import type { AnalyzeOptions } from './analyze-options.ts';
import type { AddCommand, GlobalOptions } from './command.ts';
import type { MarkOptions } from './mark.ts';
import type { ReportOptions } from './report.ts';
import { addRulesCommands } from './rules/rules-commands.ts';

const stateOption = [
  '--state <folder>',
  'folder of the embedded store; default: as configured, else that of the platform',
] as const;

/** The commands, in the order of the help. Each is loaded when it is called. */
export const commandList: readonly AddCommand[] = [
  (program, finish) => {
    program
      .command('analyze')
      .description('name the faulty node from logs: no configuration, no server')
      .argument('[path...]', 'folders or files of evidence; none: the configured sources, for --job')
      .option('--nodes <list>', 'nodes of the job, such as node-[01-16]')
      .option('--job <id>', 'job id: reads nodes and times from scheduler text')
      .option('--start <time>', 'start of the job, RFC 3339 with offset')
      .option('--end <time>', 'end or failure of the job, RFC 3339 with offset')
      .option('--at <time>', 'when it failed, where that is not its end; RFC 3339 with offset')
      .option('--phase <phase>', 'fast or slow, as a request would ask; default: everything')
      .option('--timezone <zone>', 'zone of stamps that carry none, such as Europe/Berlin; default: UTC')
      .option('--explain', 'also say why: what each symptom was taken for, and what would change the verdict')
      .option('-o, --output <form>', 'table or json', 'table')
      .action(async (paths: string[], options: AnalyzeOptions) => {
        const { analyze } = await import('./analyze.ts');
        finish(await analyze(paths, options, globals(program)));
      });
  },
  (program, finish) => {
    program
      .command('serve')
      .description('answer POST /v1/attribution')
      .option('--listen <address>', 'HOST:PORT or unix:/PATH of the contract; default: 127.0.0.1:8000')
      .option('--trusted-network', 'the network in front lets only trusted callers in')
      .option('--evidence <folder...>', 'folders of logs to read, besides the configured sources')
      .option(...stateOption)
      .action(async (options: Record<string, string | string[] | boolean>) => {
        const { serve } = await import('./serve.ts');
        finish(await serve(options, globals(program)));
      });
  },
  (program, finish) => {
    program
      .command('replay')
      .description('answer a recorded case and compare with what it expects')
      .argument('<case>', 'folder with request.json, evidence/ and expected.json')
      .option('-o, --output <form>', 'table or json', 'table')
      .action(async (folder: string, options: Record<string, string>) => {
        const { replay } = await import('./replay.ts');
        finish(await replay(folder, options, globals(program)));
      });
  },
  (program, finish) => {
    program
      .command('demo')
      .description('start the service, ask it about a recorded failure, print the answer')
      .argument('[case]', 'folder of a case; default: the one that ships')
      .action(async (folder: string | undefined) => {
        const { demo } = await import('./demo.ts');
        finish(await demo(folder, globals(program)));
      });
  },
  (program, finish) => {
    program
      .command('doctor')
      .description('examine every configured source, and say what to do')
      .option('--timeout <seconds>', 'longest time for one source', '30')
      .option('-o, --output <form>', 'table or json', 'table')
      .action(async (options: Record<string, string>) => {
        const { doctor } = await import('./doctor.ts');
        finish(await doctor(options, globals(program)));
      });
  },
  (program, finish) => {
    program
      .command('show')
      .description('print an answer that was given, with its evidence and what it was made from')
      .argument('<id>', 'a request, a session, a workload, or the reference of a pushed line')
      .option(...stateOption)
      .option('--limit <number>', 'most answers, the newest first', '20')
      .option('-o, --output <form>', 'table or json', 'table')
      .action(async (id: string, options: Record<string, string>) => {
        const { show } = await import('./show.ts');
        finish(await show(id, options, globals(program)));
      });
  },
  (program, finish) => {
    program
      .command('mark')
      .description('keep what was found to be at fault in a failure that was answered, for report')
      .argument('<id>', 'a session or a request; a workload where it failed once')
      .option('--node <name...>', 'the node or nodes, spelled as in the answers')
      .option('--application', 'the application, its data or its configuration')
      .option('--unknown', 'it was looked at and cannot be told')
      .option('--note <text>', 'why, for people')
      .option(...stateOption)
      .action(async (id: string, options: MarkOptions) => {
        const { mark } = await import('./mark.ts');
        finish(await mark(id, options, globals(program)));
      });
  },
  (program, finish) => {
    program
      .command('report')
      .description('compare what was answered, or in shadow mode would have been, with what was marked')
      .option('--since <time>', 'answers since: 14d, 36h or a datetime with its offset', '14d')
      .option('--phase <phase>', 'fast or slow; default: the last answer of each failure')
      .option('--shadow', 'only what was answered in shadow mode')
      .option(...stateOption)
      .option('-o, --output <form>', 'table or json', 'table')
      .action(async (options: ReportOptions) => {
        const { report } = await import('./report.ts');
        finish(await report(options, globals(program)));
      });
  },
  addRulesCommands,
  (program, finish) => {
    program
      .command('token')
      .description('make a bearer token for a caller, and the setting that lets it in')
      .argument('<name>', 'of the caller, as sessions and logs will know it')
      .action(async (name: string) => {
        const { makeToken } = await import('./token.ts');
        finish(makeToken(name));
      });
  },
  (program, finish) => {
    const openapi = program.command('openapi').description('the public contract as an OpenAPI document');
    openapi
      .command('export')
      .description('print the document; no server, no settings, no provider')
      .action(async () => {
        const { exportOpenapi } = await import('./openapi.ts');
        finish(exportOpenapi());
      });
    openapi
      .command('diff')
      .description('compare with a document exported from another Adapter')
      .argument('<file>', 'OpenAPI document, JSON')
      .action(async (file: string) => {
        const { diffWithFile } = await import('./openapi.ts');
        finish(await diffWithFile(file));
      });
  },
  (program, finish) => {
    const config = program.command('config').description('the settings in force');
    config
      .command('show')
      .description('print every setting')
      .option('--origin', 'also print who set it')
      .action(async (options: { origin?: boolean }) => {
        const { showConfig } = await import('./config.ts');
        finish(await showConfig(options.origin === true, globals(program)));
      });
    config
      .command('check')
      .description('check the configuration, all mistakes at once')
      .action(async () => {
        const { checkConfig } = await import('./config.ts');
        finish(await checkConfig(globals(program)));
      });
  },
];

function globals(program: Command): GlobalOptions {
  const options = program.opts<{ config?: string; color?: boolean }>();
  return { config: options.config ?? null, color: options.color !== false };
}
