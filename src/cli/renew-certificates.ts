import { StartupError } from '../core/errors.ts';
import type { Clock, Log } from '../core/ports.ts';
import type { Guard, Listener } from '../http/guarded-listener.ts';

const everyMs = 60_000;

/** A listener, and the guard whose certificates it shows. */
export interface RenewedListener {
  readonly guard: Pick<Guard, 'tls'>;
  readonly server: Pick<Listener, 'renewCertificates'>;
}

/**
 * Takes renewed certificates every minute and at each SIGHUP, for connections from then on; returns the way to stop
 * that. Files that are wrong leave those in force as they are, and the log says so once.
 */
export function renewCertificates(
  listeners: readonly RenewedListener[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => void {
  const told = new Map<RenewedListener, string>();
  let cancel = (): void => {};
  const lookAt = (listener: RenewedListener): void => {
    const { guard, server } = listener;
    try {
      if (guard.tls?.reload() === true) {
        server.renewCertificates();
        log.info({}, 'certificates were renewed');
      }
      told.delete(listener);
    } catch (error) {
      const problem = error instanceof StartupError ? error.message : String(error);
      if (problem !== told.get(listener)) {
        log.error({ problem }, 'certificates are wrong: those before stay in force');
      }
      told.set(listener, problem);
    }
  };
  const look = (): void => listeners.forEach(lookAt);
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
