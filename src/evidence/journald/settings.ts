import Type, { type Static } from 'typebox';
import type { CommandSettings } from '../command/run-command.ts';
import { shapeProblems } from '../shape-problems.ts';

/** Which journal: this machine's own, files, or a folder of them. */
export type Journal =
  | { readonly kind: 'local' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'directory'; readonly path: string };

export interface JournaldSettings {
  readonly name: string;
  readonly journals: readonly Journal[];
  /** Argument vector of journalctl. */
  readonly command: readonly string[];
  readonly run: CommandSettings;
  /** Whose journal it is, where its machine calls itself otherwise; null: as its entries say. */
  readonly node: string | null;
  /** Units that tell about their machine besides its kernel. */
  readonly units: readonly string[];
  /** The most entries of one journal. */
  readonly mostLines: number;
  readonly everythingHours: number;
}

/** They announce reboots that somebody asked for, and speak for NVSwitches. */
const usualUnits: readonly string[] = ['systemd-logind.service', 'nvidia-fabricmanager.service'];

const strict = { additionalProperties: false } as const;
const path = Type.String({ pattern: '^/', description: 'An absolute path.' });
const text = Type.String({ minLength: 1 });

/** Settings of a source of kind `journald`, as an operator writes them. */
export const journaldSettingsSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'What answers call this source.' }),
    kind: Type.Literal('journald'),
    files: Type.Optional(
      Type.Array(path, { minItems: 1, description: 'Journal files, such as exported ones; * is a wildcard.' }),
    ),
    directories: Type.Optional(
      Type.Array(path, {
        minItems: 1,
        description: 'Folders of journal files, such as /var/log/journal/remote. Neither: this machine.',
      }),
    ),
    node: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$',
        description: 'Whose journal it is, where the machine calls itself otherwise.',
      }),
    ),
    units: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9:_.@\\\\-]{1,255}$' }), {
        description: `Units whose entries count besides the kernel's (${usualUnits.join(', ')}).`,
      }),
    ),
    command: Type.Optional(
      Type.Array(text, {
        minItems: 1,
        maxItems: 32,
        description: 'Argument vector, run without a shell ([journalctl]).',
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 600_000, description: 'Longest time for one journal (30000).' }),
    ),
    mostLines: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The most entries of one journal (500000).' }),
    ),
    mostBytes: Type.Optional(
      Type.Integer({ minimum: 1024, description: 'The most bytes journalctl may print of one (256 MiB).' }),
    ),
    everythingHours: Type.Optional(
      Type.Number({ minimum: 0, maximum: 8760, description: 'How far back analyze without times reads (24).' }),
    ),
  },
  strict,
);

export type ParsedJournaldSettings =
  | { readonly ok: true; readonly settings: JournaldSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks what an operator wrote; every mistake is a sentence that names place and remedy. */
export function parseJournaldSettings(input: unknown): ParsedJournaldSettings {
  const problems = shapeProblems(journaldSettingsSchema, input);
  if (problems.length > 0) return { ok: false, problems };
  const written = input as Static<typeof journaldSettingsSchema>;
  const journals: readonly Journal[] = [
    ...(written.files ?? []).map(each => ({ kind: 'file' as const, path: each })),
    ...(written.directories ?? []).map(each => ({ kind: 'directory' as const, path: each })),
  ];
  return {
    ok: true,
    settings: {
      name: written.name,
      journals: journals.length === 0 ? [{ kind: 'local' }] : journals,
      command: written.command ?? ['journalctl'],
      run: {
        environment: {},
        timeoutMs: written.timeoutMs ?? 30_000,
        outputBytes: written.mostBytes ?? 256 * 1024 * 1024,
      },
      node: written.node ?? null,
      units: written.units ?? usualUnits,
      mostLines: written.mostLines ?? 500_000,
      everythingHours: written.everythingHours ?? 24,
    },
  };
}
