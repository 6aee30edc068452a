import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartupError } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { tellThrown } from './thrown.ts';

/** What a module's `createProvider` is handed besides its settings. */
interface ModuleTools {
  readonly clock: Clock;
  readonly log: Log;
}

export interface ModuleSettings {
  /** A file (absolute, or beginning with `./` or `../` and taken from the working directory), or a package name. */
  readonly path: string;
  /** Handed to the module as they stand. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a module returned: checked for what it can do, not yet for what it answers. */
export interface LoadedModule {
  readonly corpusHash: string | null;
  attribute(request: unknown, context: unknown): unknown;
  close(): Promise<void>;
}

/** Loads a module and lets it make its provider. Whatever is wrong with it is a StartupError of one line. */
export async function loadModule(settings: ModuleSettings, tools: ModuleTools): Promise<LoadedModule> {
  const { path } = settings;
  const exported = await importModule(path);
  const create = exported['createProvider'];
  if (typeof create !== 'function') {
    throw new StartupError(`provider.module.path: ${path} does not export a function named createProvider`);
  }
  let made: unknown;
  try {
    made = await (create(settings.settings, tools) as unknown);
  } catch (error) {
    throw new StartupError(
      `provider.module.path: createProvider of ${path} failed: ${tellThrown(error).message}`,
    );
  }
  return checkModule(path, made);
}

async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const isFile = isAbsolute(path) || path.startsWith('./') || path.startsWith('../');
  const specifier = isFile ? pathToFileURL(resolve(path)).href : path;
  try {
    return (await import(specifier)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new StartupError(`provider.module.path: ${path} cannot be loaded: ${tellThrown(error).message}`);
  }
}

function checkModule(path: string, made: unknown): LoadedModule {
  const refuse = (says: string): StartupError =>
    new StartupError(`provider.module.path: what createProvider of ${path} returned ${says}`);
  if (typeof made !== 'object' || made === null) throw refuse('is no object');
  const { attribute, close, corpusHash } = membersOf(made, refuse);
  if (typeof attribute !== 'function') throw refuse('has no function named attribute');
  if (close !== undefined && typeof close !== 'function') throw refuse('has a close that is no function');
  if (corpusHash !== undefined && corpusHash !== null && typeof corpusHash !== 'string') {
    throw refuse('has a corpusHash that is no text');
  }
  return {
    corpusHash: corpusHash ?? null,
    attribute: (request, context) => attribute.call(made, request, context) as unknown,
    close: async () => {
      await (close?.call(made) as unknown);
    },
  };
}

function membersOf(
  made: object,
  refuse: (says: string) => StartupError,
): Readonly<Record<'attribute' | 'close' | 'corpusHash', unknown>> {
  try {
    const { attribute, close, corpusHash } = made as Readonly<Record<string, unknown>>;
    return { attribute, close, corpusHash };
  } catch {
    throw refuse('has members that cannot be read');
  }
}
