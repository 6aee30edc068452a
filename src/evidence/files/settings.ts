import Type, { type Static } from 'typebox';
import type { Origin } from '../../core/batch.ts';
import { isZone } from '../../lines/time-zones.ts';
import { largestBatchBytes, largestContextBytes } from '../buffers.ts';
import { shapeProblems } from '../shape-problems.ts';
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
  const problems = [...shapeProblems(filesSettingsSchema, input), ...valueProblems(input)];
  if (problems.length > 0) return { ok: false, problems };
  const written = input as Static<typeof filesSettingsSchema>;
  const roots = written.roots.map(rootOf);
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

/** What a schema cannot say of values, looked for beside mistakes of shape: all are to be told at once. */
function valueProblems(input: unknown): readonly string[] {
  const { roots, timezone } = fieldsOf(input);
  const ofRoots = Array.isArray(roots) ? roots.flatMap(rootProblems) : [];
  const wrongZone = typeof timezone === 'string' && !isZone(timezone);
  return wrongZone
    ? [...ofRoots, `timezone: "${timezone}" is no zone: write an IANA name such as Europe/Berlin, or UTC`]
    : ofRoots;
}

function rootProblems(root: unknown, index: number): readonly string[] {
  const { path, templates } = typeof root === 'string' ? { path: root, templates: [] } : fieldsOf(root);
  const empty = path === '' ? [`roots.${index}: is empty: write the path of a folder or file`] : [];
  const ofTemplates = Array.isArray(templates) ? templates : [];
  const wrong = ofTemplates.flatMap((template: unknown, at) => {
    const { path: written } = fieldsOf(template);
    const problem = typeof written === 'string' ? templateProblem(written) : null;
    return problem === null ? [] : [`roots.${index}.templates.${at}.path: "${written}" ${problem}`];
  });
  return [...empty, ...wrong];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
