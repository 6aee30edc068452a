import { examineSettings } from '../app/examine-settings.ts';
import { hideSecretsAt } from '../config/hide-secrets.ts';
import { settingLeaves, valueAt } from '../config/settings-tree.ts';
import { StartupError } from '../core/errors.ts';
import type { GlobalOptions } from './command.ts';
import { loadSettings } from './load-settings.ts';

/** Prints every setting as YAML-like lines, with its origin where asked. */
export async function showConfig(withOrigin: boolean, globals: GlobalOptions): Promise<number> {
  const { settings, origins } = loadSettings(globals);
  for (const { path, variable } of settingLeaves) {
    const value = JSON.stringify(hideSecretsAt(path, valueAt(settings, path)));
    const origin =
      origins[path] === 'environment' ? `environment ${variable}` : `${origins[path]}; ${variable} sets it`;
    process.stdout.write(`${path}: ${value}${withOrigin ? `   # ${origin}` : ''}\n`);
  }
  return 0;
}

/** Says that the configuration is right; what would stop `serve`, and shows without starting, leaves as a StartupError. */
export async function checkConfig(globals: GlobalOptions): Promise<number> {
  const { settings, placeOf } = loadSettings(globals);
  const mistakes = await examineSettings(settings);
  if (mistakes.length > 0) {
    const lines = mistakes.map(({ path, says }) => (path === null ? says : `${placeOf(path)}: ${says}`));
    throw new StartupError(lines.join('\n'));
  }
  process.stdout.write('the configuration is right\n');
  return 0;
}
