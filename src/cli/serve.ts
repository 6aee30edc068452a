import { type OpenAdapter, openAdapter } from '../app/adapter.ts';
import { openAttributorServer, openPublicServer } from '../app/listeners.ts';
import { type OpenOperations, openOperationsServer, operationsAddress } from '../app/operations.ts';
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
import type { PublicServer } from '../http/public-server.ts';
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

interface Listener {
  /** Stands before its address on standard output; the public one's stands alone. */
  readonly says: string;
  readonly address: ListenAddress;
  readonly server: Pick<PublicServer, 'listen' | 'close'>;
}

function addressesOf(settings: Settings): readonly ListenAddress[] {
  const { listen, attributor } = settings;
  const others = [operationsAddress(settings), attributor.enabled ? listen.attributor : null];
  return [listen.public, ...others.filter(address => address !== null)].map(parseListenAddress);
}

async function answerUntilAsked(
  settings: Settings,
  provider: Provider,
  open: OpenAdapter,
  surroundings: Surroundings,
): Promise<void> {
  const { log } = surroundings;
  const ending = askedToEnd();
  const operations = openOperationsServer(settings, provider, open, surroundings);
  const listening: Listener[] = [];
  try {
    for (const listener of listenersOf(settings, provider, open, surroundings, operations)) {
      const address = await listener.server.listen(listener.address, settings);
      listening.push({ ...listener, address });
    }
    for (const { says, address } of listening) {
      process.stdout.write(`${says}listening on http://${formatAddress(address)}\n`);
      log.info({ address: formatAddress(address) }, 'listening');
    }
    log.info({ signal: await ending }, 'ending: no new requests');
  } finally {
    operations.readiness.end();
    await Promise.all(listening.map(({ server }) => server.close()));
  }
}

function listenersOf(
  settings: Settings,
  provider: Provider,
  open: OpenAdapter,
  surroundings: Surroundings,
  operations: OpenOperations,
): readonly Listener[] {
  const { listen, attributor } = settings;
  const operationsAt = operationsAddress(settings);
  const listener = (says: string, address: string, server: Listener['server']): Listener => ({
    says,
    address: parseListenAddress(address),
    server,
  });
  return [
    listener('', listen.public, openPublicServer(settings, open.adapter, surroundings.log)),
    ...(operationsAt === null ? [] : [listener('operations: ', operationsAt, operations)]),
    ...(attributor.enabled
      ? [
          listener(
            'attributors: ',
            listen.attributor,
            openAttributorServer(settings, provider, open, surroundings),
          ),
        ]
      : []),
  ];
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
