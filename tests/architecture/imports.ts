import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** What each folder of `src/`, and `client/`, may import from, besides itself. Imports point left only. */
export const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: ['contract'],
  lines: ['contract', 'core'],
  evidence: ['contract', 'core', 'lines'],
  engine: ['contract', 'core', 'lines'],
  redaction: ['contract', 'core', 'lines'],
  providers: ['contract', 'core', 'lines', 'evidence', 'engine', 'redaction'],
  storage: ['contract', 'core'],
  sessions: ['contract', 'core', 'storage'],
  history: ['contract', 'core', 'storage'],
  adapter: ['contract', 'core'],
  http: ['contract', 'core', 'adapter'],
  telemetry: ['contract', 'core'],
  config: [
    'contract',
    'core',
    'lines',
    'evidence',
    'engine',
    'redaction',
    'providers',
    'storage',
    'sessions',
    'history',
    'adapter',
    'http',
    'telemetry',
  ],
  app: [
    'contract',
    'core',
    'lines',
    'evidence',
    'engine',
    'redaction',
    'providers',
    'storage',
    'sessions',
    'history',
    'adapter',
    'http',
    'telemetry',
    'config',
  ],
  cli: [
    'contract',
    'core',
    'lines',
    'evidence',
    'engine',
    'redaction',
    'providers',
    'storage',
    'sessions',
    'history',
    'adapter',
    'http',
    'telemetry',
    'config',
    'app',
  ],
  main: ['cli'],
  client: ['contract'],
};

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|new URL\(\s*'(\.[^']+\.ts)'/g;

/** Relative imports of one file's text, as paths from the root of the checkout. */
export function importsOf(path: string, text: string): readonly Import[] {
  const found: Import[] = [];
  for (const match of text.matchAll(statement)) {
    const target = match[2] ?? match[3] ?? match[4];
    if (target?.startsWith('.')) {
      found.push({ from: path, to: normalize(join(dirname(path), target)), typeOnly: match[1] !== undefined });
    }
  }
  return found;
}

/** The folder of `src/` a file belongs to: `src/core/time.ts` -> `core`, `src/main.ts` -> `main`; or `client`. */
export function roomOf(path: string): string | null {
  const parts = path.split('/');
  if (parts[0] === 'client') return 'client';
  if (parts[0] !== 'src' || parts[1] === undefined) return null;
  return parts[1].replace(/\.ts$/, '');
}

/** Imports against the arrows, each as a sentence. */
export function violations(imports: readonly Import[]): readonly string[] {
  return imports.flatMap(({ from, to }) => {
    const room = roomOf(from);
    const target = roomOf(to);
    if (room === null || target === null || room === target) return [];
    if (allowed[room]?.includes(target)) return [];
    return [`${from} imports ${to}: ${room} may not import ${target}`];
  });
}

/** Cycles among files, each as the path that closes it. Type-only imports vanish at run time and count too. */
export function cycles(imports: readonly Import[]): readonly string[] {
  const edges = new Map<string, string[]>();
  for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      found.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

/** Every TypeScript file below a folder, as paths from `root`. */
export function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.includes('node_modules'))
    .sort();
}

export function readImports(root: string, files: readonly string[]): readonly Import[] {
  return files.flatMap(path => importsOf(path, readFileSync(join(root, path), 'utf8')));
}
