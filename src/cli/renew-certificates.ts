import { StartupError } from '../core/errors.ts';
import type { Clock, Log } from '../core/ports.ts';
import type { PublicServer } from '../http/public-server.ts';
import type { Tls } from '../http/tls.ts';

const everyMs = 60_000;

/**
 * Takes renewed certificates every minute and at each SIGHUP, for connections from then on; returns the way to stop
 * that. Files that are wrong leave those in force as they are, and the log says so once.
 */
export function renewCertificates(
  tls: Tls,
  server: Pick<PublicServer, 'renewCertificates'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => void {
  let told = '';
  let cancel = (): void => {};
  const look = (): void => {
    try {
      if (tls.reload()) {
        server.renewCertificates();
        log.info({}, 'certificates were renewed');
      }
      told = '';
    } catch (error) {
      const problem = error instanceof StartupError ? error.message : String(error);
      if (problem !== told) log.error({ problem }, 'certificates are wrong: those before stay in force');
      told = problem;
    }
  };
  const watch = (): void => {
    cancel = clock.after(everyMs, () => {
      look();
      watch();
    });
  };
  watch();
  process.on('SIGHUP', look);
  return () => {
    cancel();
    process.off('SIGHUP', look);
  };
}
