import { resolve } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { StartupError } from '../core/errors.ts';
import { tlsMistakes } from '../http/tls.ts';
import { parseFactSettings } from '../providers/fact/settings.ts';
import { readRecording } from '../providers/replay/read-recording.ts';
import { disableMistake, layerCorpus } from '../providers/rules/layer-corpus.ts';
import { readCorpusFiles, shippedRulesDirectory } from '../providers/rules/read-corpus-files.ts';
import { unreadableFiles } from '../storage/postgres/connections.ts';
import { type GuardSettings, type Guards, guardSettingsOf, tlsPlaces } from './guards.ts';
import { placesOf } from './places.ts';

/** What would stop a start. */
export interface SettingMistake {
  /** Dotted path of the setting; null where `says` begins with the place of a rule. */
  readonly path: string | null;
  readonly says: string;
}

/** All that would stop `serve` with settings that are well formed, as far as it shows without starting anything. */
export async function examineSettings(settings: Settings): Promise<readonly SettingMistake[]> {
  return [
    ...certificateMistakes(settings),
    ...addressMistakes(settings),
    ...(await ruleMistakes(settings.rules)),
    ...(await providerMistakes(settings.provider)),
    ...storeMistakes(settings),
  ];
}

function certificateMistakes(settings: Settings): readonly SettingMistake[] {
  const written = Object.entries(guardSettingsOf(settings)) as [keyof Guards, GuardSettings][];
  return written.flatMap(([name, { tls }]) =>
    tlsMistakes(tls, tlsPlaces[name]).map(({ setting, says }) => ({
      path: `${tlsPlaces[name]}.${setting}`,
      says,
    })),
  );
}

function addressMistakes(settings: Settings): readonly SettingMistake[] {
  const mistakes: SettingMistake[] = [];
  placesOf(settings, (error, path) => {
    mistakes.push(...linesOf(error).map(says => ({ path, says: `${path}: ${says}` })));
  });
  return mistakes;
}

async function ruleMistakes({
  directories,
  disable,
}: Pick<Settings['rules'], 'directories' | 'disable'>): Promise<readonly SettingMistake[]> {
  const mistakes: SettingMistake[] = [];
  const readable: string[] = [];
  for (const [index, directory] of directories.entries()) {
    const says = await saysOf(readCorpusFiles(resolve(directory)));
    if (says.length === 0) readable.push(resolve(directory));
    mistakes.push(
      ...says.map(line => ({ path: `rules.directories.${index}`, says: `rules.directories: ${line}` })),
    );
  }
  const read = await layerCorpus({ folders: [shippedRulesDirectory(), ...readable], disable: [] });
  if (!read.ok) {
    const places = read.problems.map(
      ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
    );
    return [...mistakes, ...places.map(says => ({ path: null, says }))];
  }
  const unknown = disable.flatMap((id, index) => {
    const says = disableMistake(read.layered.corpus, id);
    return says === null ? [] : [{ path: `rules.disable.${index}`, says: `rules.disable: ${says}` }];
  });
  return [...mistakes, ...unknown];
}

/** A module shows only when it runs, and a service when it is asked. */
async function providerMistakes({
  kind,
  fact,
  module,
  replay,
}: Settings['provider']): Promise<readonly SettingMistake[]> {
  if (kind === 'fact') {
    const says = await saysOf((async () => parseFactSettings(fact))());
    return says.map(line => ({ path: /^[\w.]+/.exec(line)?.[0] ?? 'provider.fact', says: line }));
  }
  if (kind === 'module' && module.path === '') {
    const says = 'provider.module.path is empty: give the file or package that exports createProvider';
    return [{ path: 'provider.module.path', says }];
  }
  if (kind !== 'replay') return [];
  return (await saysOf(readRecording(replay.path))).map(says => ({ path: 'provider.replay.path', says }));
}

function storeMistakes({ sessions, postgres }: Settings): readonly SettingMistake[] {
  if (sessions.store !== 'postgres') return [];
  return unreadableFiles(postgres).map(({ member, says }) => ({ path: `postgres.${member}`, says }));
}

async function saysOf(work: Promise<unknown>): Promise<readonly string[]> {
  return work.then(() => [], linesOf);
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof StartupError) return error.message.split('\n');
  throw error;
}
