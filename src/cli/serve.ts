import { openAdapter, openProvider, openPublicServer, type Surroundings } from '../app.ts';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../core/ports.ts';
import {
  checkReachable,
  formatAddress,
  type ListenAddress,
  parseListenAddress,
} from '../http/listen-address.ts';
import type { PublicServer } from '../http/public-server.ts';
import { createLog } from '../telemetry/log.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { GlobalOptions } from './command.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';

export interface ServeOptions {
  readonly listen?: string;
  readonly trustedNetwork?: boolean;
  readonly evidence?: readonly string[];
  readonly state?: string;
}

/** Runs until SIGTERM or SIGINT; then answers what has been asked and ends. A second SIGINT ends it at once. */
export async function serve(options: ServeOptions, globals: GlobalOptions): Promise<number> {
  const { settings } = loadSettings(globals, {
    'listen.public': options.listen,
    trustedNetwork: options.trustedNetwork,
    state: options.state,
  });
  const log = createLog({ level: settings.log.level });
  const surroundings: Surroundings = { clock: systemClock, log, packageVersion: packageVersion() };
  const address = parseListenAddress(settings.listen.public);
  checkReachable(address, settings.trustedNetwork);
  const provider = await openProvider(settings, options.evidence ?? [], surroundings);
  try {
    const open = await openAdapter(settings, provider, surroundings);
    try {
      await answerUntilAsked(openPublicServer(settings, open.adapter, log), address, settings, log);
    } finally {
      await open.close();
    }
  } finally {
    await provider.close?.();
  }
  return 0;
}

async function answerUntilAsked(
  server: PublicServer,
  address: ListenAddress,
  { trustedNetwork }: Settings,
  log: Log,
): Promise<void> {
  const ending = askedToEnd();
  const bound = await server.listen(address, { trustedNetwork });
  process.stdout.write(`listening on http://${formatAddress(bound)}\n`);
  log.info({ address: formatAddress(bound) }, 'listening');
  log.info({ signal: await ending }, 'ending: no new requests');
  await server.close();
}

function askedToEnd(): Promise<string> {
  return new Promise(resolve => {
    process.once('SIGTERM', () => resolve('SIGTERM'));
    process.once('SIGINT', () => {
      process.once('SIGINT', () => process.exit(130));
      resolve('SIGINT');
    });
  });
}
