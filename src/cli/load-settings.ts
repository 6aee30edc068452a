import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../config/home-folder.ts';
import { type ConfigFile, configVariable, type ReadSettings, readSettings } from '../config/read-settings.ts';
import { StartupError } from '../core/errors.ts';
import type { GlobalOptions } from './command.ts';

/** Settings of this process: flags over environment over the first configuration file found over defaults. */
export function loadSettings(
  globals: GlobalOptions,
  flags: Readonly<Record<string, unknown>> = {},
): ReadSettings {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return readSettings({
    file: readConfigFile(globals.config ?? process.env[configVariable] ?? null),
    environment: process.env,
    flags: Object.fromEntries(given),
  });
}

/** A file asked for by name must exist; the places looked at otherwise need not. */
function readConfigFile(asked: string | null): ConfigFile | null {
  const path = asked ?? usualPlaces().find(place => existsSync(place));
  if (path === undefined) return null;
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `cannot read the configuration file ${path} (${code}): correct --config or ${configVariable}`,
    );
  }
}

function usualPlaces(): readonly string[] {
  const home = homeFolder();
  const own = process.env['XDG_CONFIG_HOME'] ?? (home === null ? null : join(home, '.config'));
  const usual = '/etc/attribution-adapter/config.yaml';
  return own === null ? [usual] : [join(own, 'attribution-adapter/config.yaml'), usual];
}
