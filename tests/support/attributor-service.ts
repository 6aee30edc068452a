import { openAdapter } from '../../src/app/adapter.ts';
import { openAttributorServer } from '../../src/app/listeners.ts';
import { openProvider } from '../../src/app/provider.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import type { Clock } from '../../src/core/ports.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { silentLog } from './silent-log.ts';

/** A service of this checkout, in process, that serves the dialect on a port of its own. */
export interface AttributorService {
  /** With the prefix. */
  readonly url: string;
  close(): Promise<void>;
}

export interface AttributorServiceOptions {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly folders?: readonly string[];
  readonly clock?: Clock;
}

export async function openAttributorService(
  options: AttributorServiceOptions = {},
): Promise<AttributorService> {
  const flags = {
    'attributor.enabled': true,
    'sessions.store': 'memory',
    'rules.workers': 1,
    // However busy the machine: a read is to answer over everything.
    'attributor.timeoutMs': 240_000,
    ...options.flags,
  };
  const { settings } = readSettings({ file: null, environment: {}, flags });
  const surroundings = {
    clock: options.clock ?? systemClock,
    log: silentLog,
    packageVersion: '0.0.0',
    instanceId: 'the remote one',
  };
  const provider = await openProvider(settings, options.folders ?? [], surroundings);
  const open = await openAdapter(settings, provider, surroundings);
  const server = openAttributorServer(settings, provider, open, surroundings);
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 }, { trustedNetwork: false });
  return {
    url: `http://127.0.0.1:${port}${settings.attributor.prefix}`,
    async close() {
      await server.close();
      await open.close();
      await provider.close?.();
    },
  };
}
