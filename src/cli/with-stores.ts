import { existsSync } from 'node:fs';
import { type OpenStores, openStores, stateFile } from '../app/stores.ts';
import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import { createLog } from '../telemetry/log.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { GlobalOptions } from './command.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';

/** Asks the stores of a service, which may run meanwhile. Throws StartupError where there are none to be asked. */
export async function withStores<T>(
  state: string | undefined,
  globals: GlobalOptions,
  ask: (stores: OpenStores, settings: Settings) => Promise<T>,
): Promise<T> {
  const { settings } = loadSettings(globals, { state });
  if (settings.sessions.store === 'memory') {
    throw new StartupError('sessions.store is memory: answers are gone with the process that gave them');
  }
  const file = stateFile(settings);
  if (settings.sessions.store === 'sqlite' && !existsSync(file)) {
    throw new StartupError(
      `there is no state file ${file}: name its folder by --state or in the configuration`,
    );
  }
  const log = createLog({ level: 'error' });
  const stores = await openStores(settings, { clock: systemClock, log, packageVersion: packageVersion() });
  try {
    return await ask(stores, settings);
  } finally {
    await stores.close();
  }
}
