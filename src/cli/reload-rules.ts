import type { OpenProvider } from '../app/provider.ts';
import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import type { Log } from '../core/ports.ts';

/**
 * Reads the rules again at each SIGHUP, with the settings as they then stand, and tells `onReload`; returns the way to
 * stop that. Whatever is wrong leaves the rules in force as they are and is told in the log, a line each.
 */
export function reloadRulesOnHangup(
  provider: OpenProvider,
  readSettings: () => Settings,
  log: Log,
  onReload: () => void,
): () => void {
  let last = Promise.resolve();
  const reload = async (): Promise<void> => {
    if (provider.reload === undefined) {
      log.warn({ provider: provider.kind }, 'SIGHUP: this provider has no rules to read again');
      return;
    }
    try {
      await provider.reload(readSettings());
      onReload();
      log.info({ corpus: provider.corpusHash }, 'the rules were read again');
    } catch (error) {
      const problems = error instanceof StartupError ? error.message.split('\n') : [String(error)];
      log.error({ problems, corpus: provider.corpusHash }, 'the rules are wrong: those before stay in force');
    }
  };
  const listener = (): void => {
    last = last.then(reload);
  };
  process.on('SIGHUP', listener);
  return () => process.off('SIGHUP', listener);
}
