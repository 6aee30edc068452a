import { type OpenAdapter, openAdapter } from '../app/adapter.ts';
import { type Guards, openGuards } from '../app/guards.ts';
import { openAttributorServer, openPublicServer } from '../app/listeners.ts';
import { type OpenOperations, openOperationsServer } from '../app/operations.ts';
import { type Place, type Places, placesOf } from '../app/places.ts';
import { openProvider } from '../app/provider.ts';
import type { Surroundings } from '../app/surroundings.ts';
import type { Settings } from '../config/settings.ts';
import type { Provider } from '../core/ports.ts';
import type { Guard, Listener } from '../http/guarded-listener.ts';
import { addressUrl, formatAddress } from '../http/listen-address.ts';
import { createFollowing } from '../telemetry/following.ts';
import { createLog } from '../telemetry/log.ts';
import { openTracing } from '../telemetry/open-tracing.ts';
import { type CollectedMetrics, prometheusMetrics } from '../telemetry/prometheus-metrics.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { GlobalOptions } from './command.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';
import { reloadRulesOnHangup } from './reload-rules.ts';
import { renewCertificates } from './renew-certificates.ts';

export interface ServeOptions {
  readonly listen?: string;
  readonly trustedNetwork?: boolean;
  readonly evidence?: readonly string[];
  readonly state?: string;
}

/** How long spans that nobody takes hold the end of the process. */
const longestFlushMs = 2_000;

/** Runs until SIGTERM or SIGINT; then answers what has been asked and ends. A second SIGINT ends it at once. */
export async function serve(options: ServeOptions, globals: GlobalOptions): Promise<number> {
  const readAgain = (): Settings =>
    loadSettings(globals, {
      'listen.public': options.listen,
      trustedNetwork: options.trustedNetwork,
      state: options.state,
    }).settings;
  const settings = readAgain();
  const following = createFollowing();
  const log = createLog({ level: settings.log.level, following: following.fields });
  const metrics = prometheusMetrics();
  const outside = { clock: systemClock, log, packageVersion: packageVersion() };
  const tracing = await openTracing(process.env, { ...outside, following });
  const surroundings = { ...outside, metrics, tracer: tracing.tracer };
  const guards = openGuards(settings);
  const places = placesOf(settings);
  const provider = await openProvider(settings, options.evidence ?? [], surroundings);
  if (settings.shadow)
    log.warn({}, 'shadow mode: every answer is empty, and what it would have said is kept for report');
  const tellBuild = (): void => {
    const labels = { version: packageVersion(), corpus: provider.corpusHash ?? '' };
    metrics.replace('attribution_build_info', labels, 1);
  };
  tellBuild();
  const stopReloading = reloadRulesOnHangup(provider, readAgain, log, tellBuild);
  try {
    const open = await openAdapter(settings, provider, surroundings);
    try {
      await answerUntilAsked({ settings, provider, open, guards, places, surroundings });
    } finally {
      await open.close();
    }
  } finally {
    stopReloading();
    await provider.close?.();
  }
  const isSent = await tracing.close(Math.min(settings.shutdown.graceMs, longestFlushMs));
  // What the exporter still tries would hold the process.
  if (!isSent) setImmediate(() => process.exit());
  return 0;
}

/** What is open while it serves. */
interface Serving {
  readonly settings: Settings;
  readonly provider: Provider;
  readonly open: OpenAdapter;
  readonly guards: Guards;
  readonly places: Places;
  readonly surroundings: Surroundings & { readonly metrics: CollectedMetrics };
}

interface PlacedListener extends Place {
  /** Stands before its address on standard output; the public one's stands alone. */
  readonly says: string;
  readonly server: Listener;
  readonly guard: Guard;
}

async function answerUntilAsked(serving: Serving): Promise<void> {
  const { settings, provider, open, guards, surroundings } = serving;
  const { log, clock } = surroundings;
  const ending = askedToEnd();
  const operations = openOperationsServer(
    settings,
    provider,
    open,
    surroundings,
    surroundings.metrics,
    guards.operations,
  );
  const listeners = listenersOf(serving, operations);
  const stopRenewing = renewCertificates(listeners, surroundings);
  const listening: PlacedListener[] = [];
  try {
    for (const listener of listeners) {
      const address = await listener.server.listen(listener.address, { trustedNetwork: listener.isGuarded });
      listening.push({ ...listener, address });
    }
    for (const { says, address, scheme } of listening) {
      process.stdout.write(`${says}listening on ${addressUrl(address, scheme)}\n`);
      log.info({ address: formatAddress(address) }, 'listening');
    }
    log.info({ signal: await ending }, 'ending: no new requests');
  } finally {
    stopRenewing();
    operations.readiness.end();
    const cancel = clock.after(settings.shutdown.graceMs, () => {
      log.warn({}, 'the grace time is over: what is still asked is answered with what is known');
      open.adapter.hurry();
    });
    await Promise.all(listening.map(({ server }) => server.close()));
    cancel();
  }
}

function listenersOf(
  { settings, provider, open, guards, places, surroundings }: Serving,
  operations: OpenOperations,
): readonly PlacedListener[] {
  const contract = openPublicServer(settings, open.adapter, surroundings, guards.contract);
  const pushing = places.attributor;
  return [
    { ...places.contract, says: '', server: contract, guard: guards.contract },
    ...(places.operations === null
      ? []
      : [{ ...places.operations, says: 'operations: ', server: operations, guard: guards.operations }]),
    ...(pushing === null
      ? []
      : [
          {
            ...pushing,
            says: 'attributors: ',
            server: openAttributorServer(settings, provider, open, surroundings, guards.attributor),
            guard: guards.attributor,
          },
        ]),
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
