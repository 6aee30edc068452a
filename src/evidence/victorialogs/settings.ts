import Type, { type Static } from 'typebox';
import { lineFormats } from '../../lines/formats/line-formats.ts';
import { parseHttpSettings } from '../http-client/parse-settings.ts';
import { connectionProperties, type HttpSettings } from '../http-client/settings.ts';
import { type Matcher, parseMatchers } from '../log-store/matchers.ts';
import { type LogStoreSettings, logStoreProperties, logStoreSettingsOf } from '../log-store/settings.ts';
import { shapeProblems } from '../shape-problems.ts';

/** Streams of nodes' own logs. */
interface NodeStreams {
  readonly matchers: readonly Matcher[];
  readonly format: string;
}

export interface VictoriaLogsSettings {
  readonly name: string;
  readonly http: HttpSettings;
  readonly store: LogStoreSettings;
  /** Fields that may name the node, best first; which one does is found out. */
  readonly nodeFields: readonly string[];
  /** In every query. */
  readonly matchers: readonly Matcher[];
  readonly kernel: NodeStreams | null;
  readonly epilog: NodeStreams | null;
  readonly job: { readonly matchers: readonly Matcher[]; readonly idField: string } | null;
  /** Longest query. */
  readonly queryBytes: number;
}

export const usualNodeFields: readonly string[] = [
  'host',
  'hostname',
  '_HOSTNAME',
  'nodename',
  'node_name',
  'node',
  'instance',
];

const strict = { additionalProperties: false } as const;
const field = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_.:/-]*$' });
const selector = Type.String({ description: 'Stream fields as in a query: {job="kernel"}.' });
const nodeStreams = (usual: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.Literal(false),
        Type.Object(
          {
            selector: Type.Optional(selector),
            format: Type.Optional(Type.Enum(['auto', ...lineFormats.map(format => format.name)])),
          },
          strict,
        ),
      ],
      { description: `Which streams they are (${usual}); false: not in this store.` },
    ),
  );

/** Settings of a source of kind `victorialogs`, as an operator writes them. */
export const victoriaLogsSettingsSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'What answers call this source.' }),
    kind: Type.Literal('victorialogs'),
    ...connectionProperties,
    ...logStoreProperties,
    accountId: Type.Optional(Type.Integer({ minimum: 0, description: 'Tenant: header AccountID.' })),
    projectId: Type.Optional(Type.Integer({ minimum: 0, description: 'Tenant: header ProjectID.' })),
    nodeField: Type.Optional(
      Type.Union([field, Type.Array(field, { minItems: 1 })], {
        description: `Field that names the node, or several to choose from (${usualNodeFields.join(', ')}).`,
      }),
    ),
    matchers: Type.Optional(
      Type.String({ description: 'In every query: {cluster="a"}, since names repeat across clusters.' }),
    ),
    kernel: nodeStreams('{job="kernel"}'),
    epilog: nodeStreams('{job="epilog"}'),
    job: Type.Optional(
      Type.Union(
        [
          Type.Literal(false),
          Type.Object({ selector: Type.Optional(selector), idField: Type.Optional(field) }, strict),
        ],
        { description: 'Streams of job text (whatever has job_id); false: not in this store.' },
      ),
    ),
    queryBytes: Type.Optional(
      Type.Integer({ minimum: 500, maximum: 1_048_576, description: 'Longest query in bytes (16000).' }),
    ),
  },
  strict,
);

type Written = Static<typeof victoriaLogsSettingsSchema>;

export type ParsedVictoriaLogsSettings =
  | { readonly ok: true; readonly settings: VictoriaLogsSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks what an operator wrote; every mistake is a sentence that names place and remedy. */
export function parseVictoriaLogsSettings(input: unknown): ParsedVictoriaLogsSettings {
  const shape = shapeProblems(victoriaLogsSettingsSchema, input);
  if (shape.length > 0) return { ok: false, problems: shape };
  const written = input as Written;
  const http = parseHttpSettings({ ...written, headers: { ...written.headers, ...tenantOf(written) } });
  const problems = http.ok ? [] : [...http.problems];
  const read = (text: string, place: string): readonly Matcher[] => {
    const parsed = parseMatchers(text);
    if (parsed.ok) return parsed.matchers;
    problems.push(`${place}: ${parsed.problem}`);
    return [];
  };
  const nodes = (name: 'kernel' | 'epilog'): NodeStreams | null => {
    const streams = written[name];
    if (streams === false) return null;
    const own = read(streams?.selector ?? `{job="${name}"}`, `${name}.selector`);
    return { matchers: own, format: streams?.format ?? 'auto' };
  };
  const settings = {
    name: written.name,
    store: logStoreSettingsOf(written),
    nodeFields: [written.nodeField ?? usualNodeFields].flat(),
    matchers: read(written.matchers ?? '', 'matchers'),
    kernel: nodes('kernel'),
    epilog: nodes('epilog'),
    job:
      written.job === false
        ? null
        : {
            matchers: read(written.job?.selector ?? '', 'job.selector'),
            idField: written.job?.idField ?? 'job_id',
          },
    queryBytes: written.queryBytes ?? 16_000,
  };
  if (!http.ok || problems.length > 0) return { ok: false, problems };
  return { ok: true, settings: { ...settings, http: http.settings } };
}

function tenantOf({ accountId, projectId }: Written): Readonly<Record<string, string>> {
  return {
    ...(accountId === undefined ? {} : { AccountID: String(accountId) }),
    ...(projectId === undefined ? {} : { ProjectID: String(projectId) }),
  };
}
