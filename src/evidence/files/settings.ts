import Type, { type Static } from 'typebox';
import { Errors } from 'typebox/value';
import type { Origin } from '../../core/batch.ts';
import { isZone } from '../../lines/time-zones.ts';
import { largestBatchBytes, largestContextBytes } from '../buffers.ts';
import type { CutSettings } from './cut-lines.ts';
import type { ExpansionCap } from './expansion.ts';
import { templateProblem } from './template.ts';

/** Where below its root the files of one request lie. */
export interface FileTemplate {
  /** A relative path with `{workload_id}`, `{workflow_id}`, `{attempt_index}` and `{node}`; a file or a folder. */
  readonly path: string;
  /** What transport says of it; null: a folder laid out as `kernel/`, `job/`, ..., or loose files. */
  readonly origin: Origin | null;
}

export interface FilesRoot {
  /** A folder, or one file. Only configuration and the command line name roots, never a request. */
  readonly path: string;
  /** Empty: the root itself. */
  readonly templates: readonly FileTemplate[];
}

export interface FilesSettings {
  readonly name: string;
  readonly roots: readonly FilesRoot[];
  /** Whether loose files may count as what they look like (a person pointed at them) or as job text only. */
  readonly trust: 'configured' | 'command-line';
  /** Zone of stamps without one; null: UTC, and evidence says that it was assumed. */
  readonly timezone: string | null;
  /** Whether files last changed before the window are left unread. */
  readonly skipUnchanged: boolean;
  /** From this size on the window's start is looked for in a time-ordered file. */
  readonly bisectFromBytes: number;
  readonly expansion: ExpansionCap;
  /** Files read side by side. */
  readonly lanes: number;
  /** The most files one reading opens. */
  readonly mostFiles: number;
  readonly readBytes: number;
  readonly cut: CutSettings;
}

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

export const defaultFilesSettings: Omit<FilesSettings, 'name' | 'roots' | 'trust'> = {
  timezone: null,
  skipUnchanged: true,
  bisectFromBytes: 64 * mebibyte,
  expansion: { bytes: 64 * gibibyte, ratio: 500, ratioFromBytes: 64 * mebibyte },
  lanes: 4,
  mostFiles: 100_000,
  readBytes: mebibyte,
  cut: {
    ownBytes: largestBatchBytes,
    contextLines: 64,
    contextBytes: largestContextBytes,
    pieceBytes: 64 * 1024,
  },
};

const strict = { additionalProperties: false } as const;
const rootSchema = Type.Object(
  {
    path: Type.String({ description: 'Folder or file; a relative one counts from the working directory.' }),
    templates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({
              description: 'Relative to the root; {workload_id}, {workflow_id}, {attempt_index}, {node}.',
            }),
            origin: Type.Optional(
              Type.Enum(['kernel', 'scheduler', 'exporter', 'health', 'job'], {
                description: 'What the files are; without it a folder is read by its layout.',
              }),
            ),
          },
          strict,
        ),
        { description: 'Places of one request below the root.' },
      ),
    ),
  },
  strict,
);

/** Settings of a source of kind `files`, as an operator writes them. */
export const filesSettingsSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'What answers call this source.' }),
    kind: Type.Literal('files'),
    roots: Type.Array(Type.Union([Type.String(), rootSchema]), {
      minItems: 1,
      description: 'Folders or files that evidence may be read from.',
    }),
    timezone: Type.Optional(Type.String({ description: 'IANA zone of stamps without one; UTC is assumed.' })),
    skipUnchanged: Type.Optional(
      Type.Boolean({ description: 'Leave files unread that were last changed before the window (true).' }),
    ),
    bisectFromBytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Larger time-ordered files are read from the window on (64 MiB).',
      }),
    ),
    expandedBytes: Type.Optional(
      Type.Integer({ minimum: mebibyte, description: 'The most bytes one archive may expand to (64 GiB).' }),
    ),
    expansionRatio: Type.Optional(
      Type.Integer({ minimum: 2, description: 'The most bytes for a compressed one, beyond 64 MiB (500).' }),
    ),
    lanes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: 'Files read side by side (4).' }),
    ),
    mostFiles: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'The most files of one reading (100000).' }),
    ),
  },
  strict,
);

export type ParsedSettings =
  | { readonly ok: true; readonly settings: FilesSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks what an operator wrote; every mistake is a sentence that names place and remedy. */
export function parseFilesSettings(input: unknown): ParsedSettings {
  const problems = shapeProblems(input);
  if (problems.length > 0) return { ok: false, problems };
  const written = input as Static<typeof filesSettingsSchema>;
  const roots = written.roots.map(rootOf);
  const wrong = [...roots.flatMap(rootProblems), ...zoneProblems(written.timezone)];
  if (wrong.length > 0) return { ok: false, problems: wrong };
  const { expansion } = defaultFilesSettings;
  return {
    ok: true,
    settings: {
      ...defaultFilesSettings,
      name: written.name,
      roots,
      trust: 'configured',
      timezone: written.timezone ?? null,
      skipUnchanged: written.skipUnchanged ?? defaultFilesSettings.skipUnchanged,
      bisectFromBytes: written.bisectFromBytes ?? defaultFilesSettings.bisectFromBytes,
      expansion: {
        ...expansion,
        bytes: written.expandedBytes ?? expansion.bytes,
        ratio: written.expansionRatio ?? expansion.ratio,
      },
      lanes: written.lanes ?? defaultFilesSettings.lanes,
      mostFiles: written.mostFiles ?? defaultFilesSettings.mostFiles,
    },
  };
}

/** Settings for paths that a person named: whatever they hold is read, loose files as what they look like. */
export function commandLineFilesSettings(paths: readonly string[], timezone: string | null): FilesSettings {
  return {
    ...defaultFilesSettings,
    name: 'files',
    roots: paths.map(path => ({ path, templates: [] })),
    trust: 'command-line',
    timezone,
  };
}

function rootOf(root: Static<typeof filesSettingsSchema>['roots'][number]): FilesRoot {
  if (typeof root === 'string') return { path: root, templates: [] };
  const templates = (root.templates ?? []).map(({ path, origin }) => ({ path, origin: origin ?? null }));
  return { path: root.path, templates };
}

function rootProblems(root: FilesRoot, index: number): readonly string[] {
  const empty = root.path === '' ? [`roots.${index}: is empty: write the path of a folder or file`] : [];
  const templates = root.templates.flatMap(({ path }, at) => {
    const problem = templateProblem(path);
    return problem === null ? [] : [`roots.${index}.templates.${at}.path: "${path}" ${problem}`];
  });
  return [...empty, ...templates];
}

function zoneProblems(zone: string | undefined): readonly string[] {
  if (zone === undefined || isZone(zone)) return [];
  return [`timezone: "${zone}" is no zone: write an IANA name such as Europe/Berlin, or UTC`];
}

/** One sentence a place; of a union's mistakes the first one. */
function shapeProblems(input: unknown): readonly string[] {
  const found = new Map<string, string>();
  for (const { keyword, instancePath, message, params } of Errors(filesSettingsSchema, input)) {
    const place = instancePath.slice(1).replaceAll('/', '.');
    const extra = keyword === 'additionalProperties' ? JSON.stringify(params) : '';
    const says = extra === '' ? message : `has an unknown setting: remove it or correct its name (${extra})`;
    if (!found.has(place)) found.set(place, says);
  }
  return [...found].map(([place, says]) => `${place === '' ? 'the source' : place}: ${says}`);
}
