import { type OpenAdapter, openAdapter } from '../app/adapter.ts';
import { openAttributorServer, openPublicServer } from '../app/listeners.ts';
import { openProvider } from '../app/provider.ts';
import type { Surroundings } from '../app/surroundings.ts';
import type { Settings } from '../config/settings.ts';
import type { Provider } from '../core/ports.ts';
import {
  checkReachable,
  formatAddress,
  type ListenAddress,
  parseListenAddress,
} from '../http/listen-address.ts';
import { createLog } from '../telemetry/log.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { GlobalOptions } from './command.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';
import { reloadRulesOnHangup } from './reload-rules.ts';

export interface ServeOptions {
  readonly listen?: string;
  readonly trustedNetwork?: boolean;
  readonly evidence?: readonly string[];
  readonly state?: string;
}

/** Runs until SIGTERM or SIGINT; then answers what has been asked and ends. A second SIGINT ends it at once. */
export async function serve(options: ServeOptions, globals: GlobalOptions): Promise<number> {
  const readAgain = (): Settings =>
    loadSettings(globals, {
      'listen.public': options.listen,
      trustedNetwork: options.trustedNetwork,
      state: options.state,
    }).settings;
  const settings = readAgain();
  const log = createLog({ level: settings.log.level });
  const surroundings: Surroundings = { clock: systemClock, log, packageVersion: packageVersion() };
  for (const address of addressesOf(settings)) checkReachable(address, settings.trustedNetwork);
  const provider = await openProvider(settings, options.evidence ?? [], surroundings);
  const stopReloading = reloadRulesOnHangup(provider, readAgain, log);
  try {
    const open = await openAdapter(settings, provider, surroundings);
    try {
      await answerUntilAsked(settings, provider, open, surroundings);
    } finally {
      await open.close();
    }
  } finally {
    stopReloading();
    await provider.close?.();
  }
  return 0;
}

function addressesOf({ listen, attributor }: Settings): readonly ListenAddress[] {
  return [listen.public, ...(attributor.enabled ? [listen.attributor] : [])].map(parseListenAddress);
}

async function answerUntilAsked(
  settings: Settings,
  provider: Provider,
  open: OpenAdapter,
  surroundings: Surroundings,
): Promise<void> {
  const { log } = surroundings;
  const ending = askedToEnd();
  const servers = [
    openPublicServer(settings, open.adapter, log),
    ...(settings.attributor.enabled ? [openAttributorServer(settings, provider, open, surroundings)] : []),
  ];
  const listening: typeof servers = [];
  const bound: string[] = [];
  try {
    for (const [at, address] of addressesOf(settings).entries()) {
      const server = servers[at];
      if (server === undefined) break;
      bound.push(formatAddress(await server.listen(address, settings)));
      listening.push(server);
    }
    for (const [at, address] of bound.entries()) {
      process.stdout.write(`${at === 0 ? '' : 'attributors: '}listening on http://${address}\n`);
      log.info({ address }, 'listening');
    }
    log.info({ signal: await ending }, 'ending: no new requests');
  } finally {
    await Promise.all(listening.map(server => server.close()));
  }
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
