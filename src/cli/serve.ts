import { openAdapter, openProvider, openPublicServer, type Surroundings } from '../app.ts';
import { formatAddress, parseListenAddress } from '../http/listen-address.ts';
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
  const provider = await openProvider(settings, options.evidence ?? [], surroundings);
  const { adapter, close } = await openAdapter(settings, provider, surroundings);
  const server = openPublicServer(settings, adapter, log);
  const bound = await server.listen(address, { trustedNetwork: settings.trustedNetwork });
  process.stdout.write(`listening on http://${formatAddress(bound)}\n`);
  log.info(
    { address: formatAddress(bound), provider: provider.kind, corpus: provider.corpusHash },
    'listening',
  );

  const signal = await askedToEnd();
  log.info({ signal }, 'ending: no new requests');
  await server.close();
  await close();
  return 0;
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
