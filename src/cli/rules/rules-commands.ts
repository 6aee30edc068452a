import type { Command } from 'commander';
import type { AddCommand, GlobalOptions } from '../command.ts';

type Options = Readonly<Record<string, string | boolean>>;

/** `rules ...`: over the rules that ship, those of the settings, and those of folders named here. */
export const addRulesCommands: AddCommand = (program, finish) => {
  const rules = program
    .command('rules')
    .description('the rules in force, and your own before you put them there');
  const add = (name: string, does: string, forms: string): Command =>
    rules
      .command(name)
      .description(does)
      .option('--alone', 'without the rules that ship')
      .option('-o, --output <form>', forms, 'table');
  const globals = (): GlobalOptions => {
    const options = program.opts<{ config?: string; color?: boolean }>();
    return { config: options.config ?? null, color: options.color !== false };
  };
  add('check', 'check every rule and its examples; 3 where something is wrong', 'table, json or junit')
    .argument('[folder...]', 'rules of your own, over those in force')
    .action(async (folders: string[], options: Options) => {
      const { checkRules } = await import('./check-rules.ts');
      finish(await checkRules(folders, options, globals()));
    });
  add('test', 'run the examples of rules through all rules; 3 where one fails', 'table, json or junit')
    .argument('[id...]', 'rules; default: all')
    .option('--rules <folder...>', 'rules of your own, over those in force')
    .action(async (ids: string[], options: Options) => {
      const { testRules } = await import('./test-rules.ts');
      finish(await testRules(ids, options, globals()));
    });
  add('list', 'list the rules in force', 'table or json')
    .option('--rules <folder...>', 'rules of your own, over those in force')
    .action(async (options: Options) => {
      const { listRules } = await import('./list-rules.ts');
      finish(await listRules(options, globals()));
    });
  add('explain', 'say what a rule or a code of a catalogue recognises, and what follows', 'table or json')
    .argument('<id>', 'id of a rule, such as gpu/xid, or a code, such as xid-79')
    .option('--rules <folder...>', 'rules of your own, over those in force')
    .action(async (id: string, options: Options) => {
      const { explainRule } = await import('./explain-rule.ts');
      finish(await explainRule(id, options, globals()));
    });
  rules
    .command('pages')
    .description('write a reference page for each family of rules')
    .argument('<folder>', 'where to; pages of families that are gone are removed')
    .option('--rules <folder...>', 'rules of your own, over those in force')
    .option('--alone', 'without the rules that ship')
    .action(async (folder: string, options: Options) => {
      const { writePages } = await import('./write-pages.ts');
      finish(await writePages(folder, options, globals()));
    });
};
