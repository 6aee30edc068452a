import { resolve } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import type { Source } from '../core/ports.ts';
import type { BufferPool } from '../evidence/buffers.ts';
import { createSource } from '../evidence/source-kinds.ts';
import { checkPaths } from './check-paths.ts';
import type { Surroundings } from './surroundings.ts';

export type SourceSettings = Settings['sources'][number] & { readonly roots?: readonly string[] };

/** Sources as configured, and folders named on the command line. Throws StartupError where there is none. */
export function sourcesWanted(settings: Settings, folders: readonly string[]): readonly SourceSettings[] {
  checkPaths(folders, '--evidence ');
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

export function openSources(
  wanted: readonly SourceSettings[],
  buffers: BufferPool,
  surroundings: Surroundings,
): readonly Source[] {
  const { random } = Math;
  return wanted.map((source, index) =>
    createSource(source, `sources.${index}`, { ...surroundings, buffers, random }),
  );
}
