import { extname } from 'node:path';

import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import type { Provider } from '../core/ports.ts';
import { bufferPool } from '../evidence/buffers.ts';
import { openFactProvider } from '../providers/fact/fact-provider.ts';
import { parseFactSettings } from '../providers/fact/settings.ts';
import { openModuleProvider } from '../providers/module/module-provider.ts';
import { openReplayProvider } from '../providers/replay/replay-provider.ts';
import { observationOpener } from '../providers/rules/observation-opener.ts';
import { createRulesProvider } from '../providers/rules/rules-provider.ts';
import { swappableProvider } from '../providers/rules/swappable-provider.ts';
import { openCorpus, openEngine, reasoningOver } from './engine.ts';
import { refuseSelfReference } from './self-reference.ts';
import { openSources, sourcesWanted } from './sources.ts';
import { ownId, type Surroundings } from './surroundings.ts';

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
  return kind === 'module'
    ? openModuleProvider(module, { ...surroundings, entry: moduleWorker() })
    : openReplayProvider(replay);
}

/** Written in parts, since the compiler would leave a `.ts` in a URL as it is: the worker has this file's extension. */
export function moduleWorker(): URL {
  return new URL(`./module-worker${extname(import.meta.url)}`, import.meta.url);
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
  const opener = observationOpener();
  const pushed = enabled ? { buffers, opener, settings: { trust, filtered } } : null;
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
        await Promise.all([opener.close(), closeSources()]);
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
  await refuseSelfReference(settings, surroundings.clock);
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
      random: Math.random,
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
