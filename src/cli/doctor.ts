import { openCorpus } from '../app/engine.ts';
import { type GuardSettings, type Guards, guardSettingsOf, tlsPlaces } from '../app/guards.ts';
import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import type { Source, SourceCheck } from '../core/ports.ts';
import { metricNeeds } from '../engine/corpus/metrics.ts';
import { bufferPool } from '../evidence/buffers.ts';
import { createSource } from '../evidence/source-kinds.ts';
import { examineCertificates } from '../http/examine-certificates.ts';
import { createLog } from '../telemetry/log.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { GlobalOptions } from './command.ts';
import { doctorJson, doctorText, type Examined, listenerKind, verdictOf } from './doctor-text.ts';
import { loadSettings } from './load-settings.ts';
import { styleFor } from './terminal.ts';

const defaultTimeoutSeconds = 30;

/** Examines every configured source, and the certificates of every listener, and says what to do; ends with 1 where one fails, 0 otherwise. */
export async function doctor(
  options: Readonly<Record<string, string>>,
  globals: GlobalOptions,
): Promise<number> {
  const timeoutMs = timeoutOf(options['timeout']) * 1000;
  const form = formOf(options['output']);
  const { settings } = loadSettings(globals);
  if (settings.sources.length === 0) {
    throw new StartupError('no evidence source is configured: add one under "sources" in the configuration');
  }
  const wants = { metrics: metricNeeds(await openCorpus(settings.rules)) };
  const tools = {
    clock: systemClock,
    log: createLog({ level: 'error' }),
    buffers: bufferPool(),
    random: Math.random,
  };
  const sources = settings.sources.map((written, index) => ({
    kind: written.kind,
    // Credentials in an address are refused with the settings.
    address: addressOf(written),
    source: createSource(written, `sources.${index}`, tools),
  }));
  const examined = await Promise.all(
    sources.map(async ({ kind, address, source }): Promise<Examined> => {
      const checks = await examine(source, wants, AbortSignal.timeout(timeoutMs), timeoutMs);
      await source.close?.();
      return { name: source.name, kind, ...address, checks };
    }),
  );
  const all = [...examined, ...examineListeners(settings)];
  const style = styleFor(process.stdout, globals.color, process.env);
  process.stdout.write(form === 'json' ? doctorJson(all) : doctorText(all, style));
  return verdictOf(all.flatMap(({ checks }) => checks)) === 'fail' ? 1 : 0;
}

function addressOf(written: object): { readonly url?: string } {
  return 'url' in written && typeof written.url === 'string' ? { url: written.url } : {};
}

/** Those that have certificates. */
function examineListeners(settings: Settings): readonly Examined[] {
  const written = Object.entries(guardSettingsOf(settings)) as [keyof Guards, GuardSettings][];
  return written.flatMap(([name, { tls }]) => {
    const checks = examineCertificates(tls, tlsPlaces[name], Date.now());
    return checks.length === 0 ? [] : [{ name, kind: listenerKind, checks }];
  });
}

async function examine(
  source: Source,
  wants: Parameters<NonNullable<Source['examine']>>[0],
  signal: AbortSignal,
  timeoutMs: number,
): Promise<readonly SourceCheck[]> {
  if (source.examine === undefined) {
    return [{ verdict: 'warn', says: 'cannot be examined before a request comes', remedy: [] }];
  }
  const late = new Promise<readonly SourceCheck[]>(resolve => {
    signal.addEventListener('abort', () => {
      resolve([
        {
          verdict: 'fail',
          says: `did not answer within ${timeoutMs / 1000} s (--timeout)`,
          remedy: ['look at its load, or give it longer by --timeout'],
        },
      ]);
    });
  });
  return Promise.race([source.examine(wants, signal), late]);
}

function timeoutOf(text: string | undefined): number {
  if (text === undefined) return defaultTimeoutSeconds;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw new StartupError(`--timeout ${text}: write whole seconds, such as 30`);
}

function formOf(text: string | undefined): 'table' | 'json' {
  if (text === undefined || text === 'table') return 'table';
  if (text === 'json') return 'json';
  throw new StartupError(`--output ${text}: write table or json`);
}
