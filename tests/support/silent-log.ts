import type { Log } from '../../src/core/ports.ts';

/** A log nobody reads. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
