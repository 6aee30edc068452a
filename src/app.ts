import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type AttributionAdapter, createAttributionAdapter } from './adapter/attribute.ts';
import { createAttributors } from './adapter/attributors.ts';
import { refuseSelfReference } from './config/self-reference.ts';
import type { Settings } from './config/settings.ts';
import type { AttributorRecords } from './core/attributor.ts';
import { StartupError } from './core/errors.ts';
import type { HistoryRow, HistoryStore } from './core/history.ts';
import type { Clock, Log, MetricNeed, Provider, SessionStore, Source } from './core/ports.ts';
import type { Corpus } from './engine/corpus/corpus.ts';
import { coverOf } from './engine/corpus/cover.ts';
import { metricNeeds } from './engine/corpus/metrics.ts';
import { createRecognitionPool } from './engine/pool.ts';
import type { RecognitionPool } from './engine/recognition.ts';
import { type BufferPool, bufferPool } from './evidence/buffers.ts';
import { createSource } from './evidence/source-kinds.ts';
import { defaultHistoryLimits } from './history/history-limits.ts';
import { memoryHistory } from './history/memory-history.ts';
import { namedNodes } from './history/named-nodes.ts';
import { pastOf } from './history/past.ts';
import { rememberAll, rememberIn } from './history/remember.ts';
import { sqliteHistory } from './history/sqlite-history.ts';
import { type AttributorServer, createAttributorServer } from './http/attributor-server.ts';
import { createPublicServer, defaultPublicServerSettings, type PublicServer } from './http/public-server.ts';
import { openFactProvider } from './providers/fact/fact-provider.ts';
import { parseFactSettings } from './providers/fact/settings.ts';
import { openModuleProvider } from './providers/module/module-provider.ts';
import { openReplayProvider } from './providers/replay/replay-provider.ts';
import type { AttributionParts } from './providers/rules/attribute.ts';
import { layerCorpus } from './providers/rules/layer-corpus.ts';
import { shippedRulesDirectory } from './providers/rules/read-corpus-files.ts';
import { createRulesProvider } from './providers/rules/rules-provider.ts';
import { swappableProvider } from './providers/rules/swappable-provider.ts';
import { createRedactor } from './redaction/redactor.ts';
import { memoryAttributorRecords, sqliteAttributorRecords } from './sessions/attributor-records.ts';
import { memorySessionStore } from './sessions/memory-store.ts';
import { randomIds } from './sessions/session-id.ts';
import { sqliteSessionStore } from './sessions/sqlite-store.ts';
import { openDatabase } from './storage/database.ts';
import { silentMetrics } from './telemetry/silent-metrics.ts';

/** The outside that every part shares. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  readonly packageVersion: string;
  /** Tells this adapter from every other: one that asks itself under another name is recognised by it. */
  readonly instanceId?: string;
}

/** Loads the rules that ship, and those of the settings over them; all mistakes leave as one StartupError, a line each. */
export async function openCorpus(rules: RuleSettings = { directories: [], disable: [] }): Promise<Corpus> {
  const folders = [shippedRulesDirectory(), ...rules.directories.map(path => resolve(path))];
  const read = await layerCorpus({ folders, disable: rules.disable });
  if (read.ok) return read.layered.corpus;
  const lines = read.problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
  throw new StartupError(lines.join('\n'), 3);
}

type RuleSettings = Pick<Settings['rules'], 'directories' | 'disable'>;

/** What recognises: the workers with the corpus, and the buffers that go to and fro between them and the sources. */
export interface Engine {
  readonly pool: RecognitionPool;
  readonly buffers: BufferPool;
  readonly cover: AttributionParts['cover'];
  readonly metrics: readonly MetricNeed[];
}

export function openEngine(
  settings: { readonly rules: Pick<Settings['rules'], 'workers'> },
  corpus: Corpus,
  buffers: BufferPool = bufferPool(),
): Engine {
  const workers = settings.rules.workers === 0 ? availableParallelism() : settings.rules.workers;
  return {
    pool: createRecognitionPool(corpus, { workers, onBuffer: buffer => buffers.release(buffer) }),
    buffers,
    cover: coverOf(corpus),
    metrics: metricNeeds(corpus),
  };
}

/** The parts of the built-in provider over given sources. */
export function reasoningOver(
  settings: Settings,
  { pool, cover, metrics }: Engine,
  sources: readonly Source[],
  { log }: Pick<Surroundings, 'log'>,
): AttributionParts {
  return { sources, pool, cover, metrics, windows: settings.window, reasoning: settings.reasoning, log };
}

type SourceSettings = Settings['sources'][number] & { readonly roots?: readonly string[] };

/** Sources as configured, and folders named on the command line. Throws StartupError where there is none. */
function sourcesWanted(settings: Settings, folders: readonly string[]): readonly SourceSettings[] {
  const missing = folders.find(path => !existsSync(path));
  if (missing !== undefined)
    throw new StartupError(`--evidence ${missing} does not exist: give a folder of logs`);
  const wanted: readonly SourceSettings[] = [
    ...settings.sources,
    ...(folders.length === 0
      ? []
      : [{ name: 'evidence', kind: 'files', roots: folders.map(path => resolve(path)) }]),
  ];
  if (wanted.length === 0 && !settings.attributor.enabled) {
    throw new StartupError(
      'no evidence source is configured: add one under "sources" in the configuration, or give --evidence FOLDER',
    );
  }
  const names = wanted.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new StartupError(`sources: the name "${twice}" is used twice: give each its own`);
  return wanted;
}

interface OpenStores {
  readonly sessions: SessionStore;
  readonly records: AttributorRecords;
  readonly history: HistoryStore;
  close(): Promise<void>;
}

/** The stores of the settings; closing it leaves everything acknowledged on the disk. */
async function openStores(settings: Settings, { clock, log }: Surroundings): Promise<OpenStores> {
  const limits = { ...defaultHistoryLimits, rows: settings.history.rows };
  if (settings.sessions.store === 'memory') {
    const sessions = memorySessionStore({ clock, log });
    return {
      sessions,
      records: memoryAttributorRecords(),
      history: memoryHistory({ clock }, limits),
      close: () => sessions.close(),
    };
  }
  const database = await openDatabase({ file: join(stateFolder(settings), 'state.sqlite') });
  const sessions = sqliteSessionStore({ database, clock, log });
  return {
    sessions,
    records: sqliteAttributorRecords(database),
    history: sqliteHistory({ database, clock, limits }),
    async close() {
      await sessions.close();
      await database.close();
    },
  };
}

/** `/var/lib/attribution-adapter` for root, else below `$XDG_STATE_HOME`. */
function stateFolder(settings: Settings): string {
  if (settings.state !== '') return settings.state;
  if (process.getuid?.() === 0) return '/var/lib/attribution-adapter';
  return join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local/state'), 'attribution-adapter');
}

/** The use case over a provider, with its stores. */
export interface OpenAdapter extends Omit<OpenStores, 'close'> {
  readonly adapter: AttributionAdapter;
  close(): Promise<void>;
}

export async function openAdapter(
  settings: Settings,
  provider: Provider,
  surroundings: Surroundings,
  past: readonly HistoryRow[] = [],
): Promise<OpenAdapter> {
  const stores = await openStores(settings, surroundings);
  const { sessions, history } = stores;
  await rememberAll(history, past);
  const { enabled, cluster } = settings.history;
  const adapter = createAttributionAdapter({
    ...surroundings,
    provider,
    sessions,
    history: enabled
      ? {
          ...pastOf(history, cluster, surroundings.log),
          remember: rememberIn(history, cluster, surroundings.log),
        }
      : null,
    metrics: silentMetrics,
    redact: createRedactor(settings.redaction),
    settings: {
      maxTimeoutMs: settings.deadline.maxTimeoutMs,
      maxUnattributed: settings.reasoning.maxUnattributed,
    },
    serviceId: 'attribution-adapter',
    get serviceVersion() {
      return serviceVersion(surroundings.packageVersion, provider.corpusHash);
    },
    randomId: randomIds(randomBytes),
  });
  return {
    ...stores,
    adapter,
    async close() {
      await adapter.settled();
      await stores.close();
    },
  };
}

/** Package version and, where a corpus decides answers, its hash: `0.1.0+corpus.1a2b3c4d5e6f`. */
function serviceVersion(packageVersion: string, corpusHash: string | null): string {
  return corpusHash === null ? packageVersion : `${packageVersion}+corpus.${corpusHash.slice(0, 12)}`;
}

/** A provider, and where it has rules the way to read them again. */
export interface OpenProvider extends Provider {
  /** Takes the rules of these settings from the next request on. Throws StartupError and changes nothing where they are wrong. */
  reload?(settings: Settings): Promise<void>;
}

/** The provider that the settings name. Whatever it lacks stops start-up. */
export async function openProvider(
  settings: Settings,
  folders: readonly string[],
  surroundings: Surroundings,
): Promise<OpenProvider> {
  const { kind, module, replay } = settings.provider;
  if (kind === 'rules') return openRulesProvider(settings, folders, surroundings);
  if (kind === 'fact') return openRemoteProvider(settings, folders, surroundings);
  if (folders.length > 0) {
    throw new StartupError(`provider.kind is ${kind}, which reads no evidence: leave --evidence out`);
  }
  return kind === 'module' ? openModuleProvider(module, surroundings) : openReplayProvider(replay);
}

function openSources(
  wanted: readonly SourceSettings[],
  buffers: BufferPool,
  surroundings: Surroundings,
): readonly Source[] {
  return wanted.map((source, index) => createSource(source, `sources.${index}`, { ...surroundings, buffers }));
}

/** Rules and workers can be replaced while it answers; the sources stay. */
async function openRulesProvider(
  settings: Settings,
  folders: readonly string[],
  surroundings: Surroundings,
): Promise<OpenProvider> {
  const { log } = surroundings;
  const buffers = bufferPool();
  const sources = openSources(sourcesWanted(settings, folders), buffers, surroundings);
  const closeSources = () => Promise.all(sources.map(source => source.close?.()));
  const { enabled, trust, filtered } = settings.attributor;
  const pushed = enabled ? { buffers, settings: { trust, filtered } } : null;
  const withRulesOf = async ({ rules }: Settings): Promise<Provider> => {
    const engine = openEngine({ ...settings, rules }, await openCorpus(rules), buffers);
    const reasoning = reasoningOver(settings, engine, sources, surroundings);
    return { ...createRulesProvider(reasoning, pushed), close: () => engine.pool.close() };
  };
  try {
    const provider = swappableProvider(await withRulesOf(settings), error =>
      log.error({ reason: String(error) }, 'the workers of replaced rules did not end'),
    );
    const { close } = provider;
    return Object.assign(provider, {
      async reload(next: Settings): Promise<void> {
        provider.swap(await withRulesOf(next));
      },
      async close(): Promise<void> {
        await close?.();
        await closeSources();
      },
    });
  } catch (error) {
    await closeSources();
    throw error;
  }
}

async function openRemoteProvider(
  settings: Settings,
  folders: readonly string[],
  surroundings: Surroundings,
): Promise<Provider> {
  refuseSelfReference(settings);
  const fact = parseFactSettings(settings.provider.fact);
  const buffers = bufferPool();
  const sources = openSources(sourcesWanted(settings, folders), buffers, surroundings);
  const closeSources = () => Promise.all(sources.map(source => source.close?.()));
  try {
    const tools = {
      ...surroundings,
      sources,
      buffers,
      windows: settings.window,
      instanceId: ownId(surroundings),
    };
    const provider = await openFactProvider(fact, tools);
    return {
      ...provider,
      async close() {
        await provider.close?.();
        await closeSources();
      },
    };
  } catch (error) {
    await closeSources();
    throw error;
  }
}

const processId = randomBytes(16).toString('hex');
const ownId = ({ instanceId }: Surroundings): string => instanceId ?? processId;

/** The listener for clients that push their logs, over the adapter's own stores. */
export function openAttributorServer(
  settings: Settings,
  provider: Provider,
  { adapter, sessions, records, history }: OpenAdapter,
  surroundings: Surroundings,
): AttributorServer {
  const { prefix, timeoutMs, bodyLimitBytes } = settings.attributor;
  const attributors = createAttributors({
    ...surroundings,
    adapter,
    provider,
    sessions,
    records,
    settings: { timeoutMs, mostBytes: bodyLimitBytes },
    randomId: randomIds(randomBytes),
  });
  const search = settings.history.enabled ? namedNodes(history, surroundings.clock) : async () => [];
  return createAttributorServer({
    attributors,
    search,
    log: surroundings.log,
    prefix,
    bodyLimitBytes,
    instanceId: ownId(surroundings),
  });
}

export function openPublicServer(settings: Settings, adapter: AttributionAdapter, log: Log): PublicServer {
  const { naiveDatetimes, echoInput, categories } = settings.contract;
  return createPublicServer({
    adapter: async () => adapter,
    log,
    settings: {
      ...defaultPublicServerSettings,
      parse: { naiveDatetimes, echoInput },
      render: { categories },
      maxTimeoutMs: settings.deadline.maxTimeoutMs,
    },
  });
}
