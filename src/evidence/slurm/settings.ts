import Type, { type Static } from 'typebox';
import type { CommandSettings } from '../command/run-command.ts';
import { parseHttpSettings } from '../http-client/parse-settings.ts';
import { connectionProperties, type HttpSettings } from '../http-client/settings.ts';
import { shapeProblems } from '../shape-problems.ts';
import type { SlurmCommands } from './commands/command-scheduler.ts';

/** How Slurm is asked: by its REST daemon, or by its commands on this machine. */
export type SlurmAccess =
  | { readonly kind: 'rest'; readonly http: HttpSettings; readonly apiVersion: string | null }
  | { readonly kind: 'commands'; readonly commands: SlurmCommands; readonly run: CommandSettings };

export interface SlurmSettings {
  readonly name: string;
  readonly access: SlurmAccess;
}

const { url, unixSocket, tls, headers, headerFiles, proxy, timeoutMs, concurrency, retries, ...others } =
  connectionProperties;
const { retryPatienceMs, breakerFailures, breakerPauseMs, answerBytes, expandedBytes } = others;

const strict = { additionalProperties: false } as const;
const text = Type.String({ minLength: 1 });
const vector = (program: string) =>
  Type.Optional(
    Type.Union([Type.Literal(false), Type.Array(text, { minItems: 1, maxItems: 32 })], {
      description: `Argument vector, run without a shell ([${program}]); false: not to be used.`,
    }),
  );

/** Settings of a source of kind `slurm`, as an operator writes them. */
export const slurmSettingsSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'What answers call this source.' }),
    kind: Type.Literal('slurm'),
    url: Type.Optional(url),
    unixSocket,
    user: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'User that the token was made for.' }),
    ),
    token: Type.Optional(text),
    tokenFile: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'File that holds the token (JWT), read again when it changes.',
      }),
    ),
    apiVersion: Type.Optional(
      Type.String({ pattern: '^v0\\.0\\.[0-9]{2,3}$', description: 'Such as v0.0.41; else the newest known.' }),
    ),
    commands: Type.Optional(
      Type.Object(
        {
          sacct: vector('sacct'),
          scontrol: vector('scontrol'),
          environment: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description: 'What the commands find in their environment, such as SLURM_CONF.',
            }),
          ),
          outputBytes: Type.Optional(
            Type.Integer({ minimum: 1024, description: 'The most bytes one command may print (64 MiB).' }),
          ),
        },
        { ...strict, description: 'Instead of url: ask sacct and scontrol on this machine.' },
      ),
    ),
    tls,
    headers,
    headerFiles,
    proxy,
    timeoutMs,
    concurrency,
    retries,
    retryPatienceMs,
    breakerFailures,
    breakerPauseMs,
    answerBytes,
    expandedBytes,
  },
  strict,
);

type Written = Static<typeof slurmSettingsSchema>;

export type ParsedSlurmSettings =
  | { readonly ok: true; readonly settings: SlurmSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks what an operator wrote; every mistake is a sentence that names place and remedy. */
export function parseSlurmSettings(input: unknown): ParsedSlurmSettings {
  const shape = shapeProblems(slurmSettingsSchema, input);
  if (shape.length > 0) return { ok: false, problems: shape };
  const written = input as Written;
  const isRest = written.url !== undefined || written.unixSocket !== undefined;
  if (isRest === (written.commands !== undefined)) {
    const remedy = 'write url (or unixSocket) of slurmrestd, or commands, and not both';
    return { ok: false, problems: [`url: ${isRest ? 'is given besides commands' : 'is missing'}: ${remedy}`] };
  }
  return isRest ? restOf(written) : commandsOf(written);
}

function restOf(written: Written): ParsedSlurmSettings {
  const { name, user, token, tokenFile, apiVersion } = written;
  const problems: string[] = [];
  if (token !== undefined && tokenFile !== undefined) {
    problems.push('token: is given twice: write either token or tokenFile');
  }
  // On a unix socket slurmrestd may take the user that connects.
  if (written.url !== undefined && token === undefined && tokenFile === undefined) {
    problems.push('tokenFile: is missing: write the file that holds a token of scontrol token');
  }
  const http = parseHttpSettings({
    ...connectionOf(written),
    url: written.url ?? 'http://localhost',
    headers: {
      ...written.headers,
      ...(user === undefined ? {} : { 'X-SLURM-USER-NAME': user }),
      ...(token === undefined ? {} : { 'X-SLURM-USER-TOKEN': token }),
    },
    headerFiles: {
      ...written.headerFiles,
      ...(tokenFile === undefined ? {} : { 'X-SLURM-USER-TOKEN': tokenFile }),
    },
  });
  if (!http.ok || problems.length > 0) {
    return { ok: false, problems: [...problems, ...(http.ok ? [] : http.problems)] };
  }
  const access = { kind: 'rest', http: http.settings, apiVersion: apiVersion ?? null } as const;
  return { ok: true, settings: { name, access } };
}

function connectionOf({ name: _name, kind: _kind, user: _user, token: _token, ...written }: Written) {
  const { tokenFile: _file, apiVersion: _version, commands: _commands, url: _url, ...connection } = written;
  return connection;
}

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

function commandsOf({ name, commands = {}, timeoutMs }: Written): ParsedSlurmSettings {
  const { sacct, scontrol, environment = {}, outputBytes } = commands;
  const odd = Object.keys(environment).filter(key => !variable.test(key));
  const problems = odd.map(key => `commands.environment: "${key}" is no name of a variable`);
  if (sacct === false && scontrol === false) {
    problems.push('commands: both are false: leave at least one of sacct and scontrol');
  }
  if (problems.length > 0) return { ok: false, problems };
  const access: SlurmAccess = {
    kind: 'commands',
    commands: {
      sacct: sacct === false ? null : (sacct ?? ['sacct']),
      scontrol: scontrol === false ? null : (scontrol ?? ['scontrol']),
    },
    run: { environment, timeoutMs: timeoutMs ?? 30_000, outputBytes: outputBytes ?? 64 * 1024 * 1024 },
  };
  return { ok: true, settings: { name, access } };
}
