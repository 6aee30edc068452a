import { Errors } from 'typebox/value';
import { errorCategories } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import { parseSource } from '../evidence/source-kinds.ts';
import { parseListenAddress } from '../http/listen-address.ts';
import { userNameMistake } from '../redaction/redactor.ts';
import { postgresMistakes } from '../storage/postgres/settings.ts';
import { readYaml } from './read-yaml.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { setAt, settingLeaves, type Tree, valueAt } from './settings-tree.ts';

/** Who set a value: later ones win. */
export type Origin = 'default' | 'file' | 'environment' | 'flag';

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
}

export interface SettingsLayers {
  readonly file: ConfigFile | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By dotted path, as the command line gave them. */
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface ReadSettings {
  readonly settings: Settings;
  readonly origins: Readonly<Record<string, Origin>>;
  /** Where the value of a setting comes from: place in the file, variable or flag; of a default, what stands around it. */
  placeOf(path: string): string;
}

/** Flags over environment over file over defaults. Throws StartupError with every mistake, one a line. */
export function readSettings(layers: SettingsLayers): ReadSettings {
  const tree: Tree = {};
  const origins: Record<string, Origin> = {};
  for (const { path, schema } of settingLeaves) {
    setAt(tree, path, structuredClone(schema.default));
    origins[path] = 'default';
  }
  const { problems, placeOf: placeInFile } =
    layers.file === null ? nowhere() : applyFile(layers.file, tree, origins);
  problems.push(...applyEnvironment(layers.environment, tree, origins));
  for (const [path, value] of Object.entries(layers.flags)) {
    setAt(tree, path, value);
    origins[path] = 'flag';
  }
  if (problems.length === 0) problems.push(...mistakes(tree).map(({ path, says }) => describe(path, says)));
  // What is told quotes names that may hold anything: one mistake stays one line.
  if (problems.length > 0) throw new StartupError(problems.map(oneLine).join('\n'));
  return { settings: tree as Settings, origins, placeOf };

  function placeOf(path: string): string {
    const leaf = leafOf(path);
    if (origins[leaf] === 'environment') {
      return `environment: ${settingLeaves.find(each => each.path === leaf)?.variable}`;
    }
    return origins[leaf] === 'flag' ? 'flag' : placeInFile(path);
  }

  function describe(path: string, says: string): string {
    const named = origins[leafOf(path)] === 'environment' ? '' : `: ${path}`;
    return `${placeOf(path)}${named}${says.startsWith(':') ? '' : ' '}${says}`;
  }
}

interface AppliedFile {
  readonly problems: string[];
  placeOf(path: string): string;
}

function nowhere(problems: readonly string[] = []): AppliedFile {
  return { problems: [...problems], placeOf: () => 'default' };
}

/** Mistakes of the file are told with its line and column; its values are copied over the defaults. */
function applyFile(file: ConfigFile, tree: Tree, origins: Record<string, Origin>): AppliedFile {
  const read = readYaml(file.text);
  if (!read.ok)
    return nowhere(read.mistakes.map(({ line, column, says }) => `${file.path}:${line}:${column}: ${says}`));
  const { place, value } = read;
  const content = value ?? {};
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return nowhere([`${file.path}:1:1: a configuration is a mapping of settings, such as "listen:"`]);
  }
  const trial = structuredClone(tree);
  for (const path of settingLeaves.map(leaf => leaf.path)) {
    const value = valueAt(content, path);
    if (value === undefined) continue;
    setAt(trial, path, value);
    setAt(tree, path, value);
    origins[path] = 'file';
  }
  const unknown = unknownPaths(content as Tree);
  const wrong = mistakes(trial).filter(({ path }) => origins[leafOf(path)] === 'file');
  const problems = [
    ...unknown.map(path => `${placeInFile(path)}: unknown setting ${path}: remove it or correct its name`),
    ...wrong.map(({ path, says }) => `${placeInFile(path)}: ${path}${says.startsWith(':') ? '' : ' '}${says}`),
  ];
  return {
    problems,
    placeOf: path => (Object.hasOwn(content, path.split('.', 1)[0] ?? '') ? placeInFile(path) : 'default'),
  };

  function placeInFile(path: string): string {
    const names = path.split('.').map(name => (/^\d+$/.test(name) ? Number(name) : name));
    const { line, column } = place(names);
    return `${file.path}:${line}:${column}`;
  }
}

/** Dotted paths of the file that no setting has; what lies below a setting is that setting's own. */
function unknownPaths(content: Tree, above: readonly string[] = []): string[] {
  return Object.entries(content).flatMap(([name, value]) => {
    const path = [...above, name].join('.');
    // A dotted path is how settings are spoken of, not how they are written.
    if (name.includes('.')) return [path];
    if (settingLeaves.some(leaf => leaf.path === path)) return [];
    const isFolder = settingLeaves.some(leaf => leaf.path.startsWith(`${path}.`));
    if (!isFolder) return [path];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
    return unknownPaths(value as Tree, [...above, name]);
  });
}

function applyEnvironment(
  environment: SettingsLayers['environment'],
  tree: Tree,
  origins: Record<string, Origin>,
): string[] {
  const problems: string[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith('ATTRIBUTION_') || text === undefined || name === configVariable) continue;
    const leaf = settingLeaves.find(({ variable }) => variable === name);
    if (leaf === undefined) {
      problems.push(`environment: unknown variable ${name}: see "config show" for the names`);
      continue;
    }
    const read = variableValue(text, leaf.schema.type);
    if ('says' in read) problems.push(`environment: ${name}: ${read.says}`);
    else setAt(tree, leaf.path, read.value);
    origins[leaf.path] = 'environment';
  }
  return problems;
}

/** Names the configuration file itself. */
export const configVariable = 'ATTRIBUTION_CONFIG';

/** Text of the environment as the setting's type wants it; what does not fit stays text and fails the check. */
function variableValue(
  text: string,
  type: string | undefined,
): { readonly value: unknown } | { readonly says: string } {
  if (type === 'boolean') return { value: text === 'true' ? true : text === 'false' ? false : text };
  if (type === 'integer' || type === 'number') return { value: text.trim() === '' ? text : Number(text) };
  if (type !== 'array' && type !== 'object') return { value: text };
  const read = readYaml(text);
  return read.ok ? { value: read.value } : { says: `is no YAML: ${read.mistakes[0]?.says}` };
}

/** A mistake on one line, whatever stands in the names that it quotes. */
function oneLine(mistake: string): string {
  return mistake.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

interface Mistake {
  readonly path: string;
  readonly says: string;
}

function mistakes(tree: Tree): readonly Mistake[] {
  const found = new Map<string, string>();
  for (const error of Errors(settingsSchema, tree)) {
    const path = error.instancePath.slice(1).replaceAll('/', '.');
    if (error.keyword === 'additionalProperties' || path === '') continue;
    const allowed = allowedWords(path);
    const says = allowed === null ? error.message : `must be one of ${allowed.join(', ')}`;
    if (!found.has(path)) found.set(path, says);
  }
  for (const word of Object.keys(valueAt(tree, 'contract.categories') ?? {})) {
    if ((errorCategories as readonly string[]).includes(word)) continue;
    found.set(`contract.categories.${word}`, `is no category of ours: ${errorCategories.join(', ')}`);
  }
  return [...found].map(([path, says]) => ({ path, says })).concat(partMistakes(tree as Settings, found));
}

/** What the parts find wrong with their own settings, where those have the right shape. */
function partMistakes(settings: Settings, found: ReadonlyMap<string, string>): readonly Mistake[] {
  if (found.size > 0) return [];
  const sources = settings.sources.flatMap((source, index) => {
    const parsed = parseSource(source);
    return parsed.ok ? [] : parsed.problems.map(says => ({ path: `sources.${index}`, says: `: ${says}` }));
  });
  const names = settings.sources.map(({ name }) => name);
  const twice = names.flatMap((name, index) => {
    if (names.indexOf(name) === index) return [];
    return [
      {
        path: `sources.${index}`,
        says: `: name: "${name}" is another source's: answers tell them apart by it`,
      },
    ];
  });
  const server = settings.sessions.store === 'postgres' ? postgresMistakes(settings.postgres) : [];
  return [
    ...sources,
    ...twice,
    ...addressMistakes(settings.listen),
    ...shadowMistakes(settings),
    ...settings.redaction.userNames.flatMap((pattern, index) => {
      const says = userNameMistake(pattern);
      return says === null ? [] : [{ path: `redaction.userNames.${index}`, says }];
    }),
    ...server.map(({ member, says }) => ({ path: `postgres.${member}`, says })),
  ];
}

/** What is not told has to be kept, or there was no use in asking. */
function shadowMistakes({ shadow, audit, sessions }: Settings): readonly Mistake[] {
  if (!shadow) return [];
  if (!audit.enabled) {
    return [
      {
        path: 'shadow',
        says: 'is true, but nothing would be kept of what is not told: set audit.enabled to true',
      },
    ];
  }
  if (sessions.store !== 'memory') return [];
  return [
    {
      path: 'shadow',
      says: 'is true, but what is kept would be gone with the process: set sessions.store to sqlite or postgres',
    },
  ];
}

function addressMistakes(listen: Settings['listen']): readonly Mistake[] {
  return Object.entries(listen).flatMap(([name, address]) => {
    if (name === 'operations' && address === 'off') return [];
    try {
      parseListenAddress(address);
      return [];
    } catch (error) {
      return [{ path: `listen.${name}`, says: (error as Error).message }];
    }
  });
}

function allowedWords(path: string): readonly string[] | null {
  const schema = settingLeaves.find(leaf => leaf.path === path)?.schema as
    | { enum?: readonly string[] }
    | undefined;
  return schema?.enum ?? null;
}

function leafOf(path: string): string {
  return settingLeaves.find(leaf => path === leaf.path || path.startsWith(`${leaf.path}.`))?.path ?? path;
}
