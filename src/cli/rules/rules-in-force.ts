import { resolve } from 'node:path';
import { StartupError } from '../../core/errors.ts';
import { type LayeredCorpus, type LayeredResult, layerCorpus } from '../../providers/rules/layer-corpus.ts';
import { shippedRulesDirectory } from '../../providers/rules/read-corpus-files.ts';
import type { GlobalOptions } from '../command.ts';
import { loadSettings } from '../load-settings.ts';

/** Exit code of whatever is wrong with rules. */
export const ruleErrors = 3;

/** Reads the rules that ship, those of the settings and those of `folders`; what is wrong with them is the result's. */
export async function readRules(
  folders: readonly string[],
  alone: boolean,
  globals: GlobalOptions,
): Promise<LayeredResult> {
  if (alone && folders.length === 0) throw new StartupError('--alone: name the folder of rules to look at');
  const { rules } = loadSettings(globals).settings;
  const inForce = alone ? [] : [shippedRulesDirectory(), ...rules.directories];
  return layerCorpus({
    folders: [...inForce, ...folders].map(path => resolve(path)),
    disable: alone ? [] : rules.disable,
  });
}

/** The same for a command that needs rules that load. */
export async function rulesInForce(
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
): Promise<LayeredCorpus> {
  const read = await readRules(foldersOf(options['rules']), options['alone'] === true, globals);
  if (read.ok) return read.layered;
  const lines = read.problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  throw new StartupError(lines.join('\n'), ruleErrors);
}

function foldersOf(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.map(String) : [];
}

/** For what no rule in force is called; rules of one's own have to be named to be looked at. */
export function unknownRule(says: string, options: Readonly<Record<string, unknown>>): StartupError {
  const own =
    foldersOf(options['rules']).length > 0
      ? 'with the same --rules'
      : 'with --rules FOLDER for rules of your own';
  return new StartupError(`${says}: see rules list, ${own}`);
}

/** The form asked for; throws StartupError naming those there are. */
export function formOf<T extends string>(given: unknown, forms: readonly T[]): T {
  const form = forms.find(each => each === given);
  if (form !== undefined) return form;
  throw new StartupError(`-o ${String(given)}: must be one of ${forms.join(', ')}`);
}
