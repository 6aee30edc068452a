import Type, { type Static } from 'typebox';
import { lineFormats } from '../../lines/formats/line-formats.ts';
import { parseHttpSettings } from '../http-client/parse-settings.ts';
import { connectionProperties, type HttpSettings } from '../http-client/settings.ts';
import { isSelective, type Matcher, parseMatchers } from '../log-store/matchers.ts';
import { type LogStoreSettings, logStoreProperties, logStoreSettingsOf } from '../log-store/settings.ts';
import { shapeProblems } from '../shape-problems.ts';

/** Streams of nodes' own logs. */
export interface NodeStreams {
  readonly matchers: readonly Matcher[];
  readonly format: string;
}

/** Streams of the text of jobs. */
export interface JobStreams {
  readonly matchers: readonly Matcher[];
  readonly idLabel: string;
  /** Whether the id is a label of streams, or metadata of each entry. */
  readonly idIn: 'label' | 'metadata';
}

export interface LokiSettings {
  readonly name: string;
  readonly http: HttpSettings;
  readonly store: LogStoreSettings;
  /** Labels that may name the node, best first; which one does is found out. */
  readonly nodeLabels: readonly string[];
  /** In every selector. */
  readonly matchers: readonly Matcher[];
  readonly kernel: NodeStreams | null;
  readonly epilog: NodeStreams | null;
  readonly job: JobStreams | null;
  /** Longest query. */
  readonly queryBytes: number;
  /** Most series that one counting query may return. */
  readonly querySeries: number;
}

export const usualNodeLabels: readonly string[] = [
  'host',
  'hostname',
  'nodename',
  'node_name',
  'node',
  'instance',
];

const strict = { additionalProperties: false } as const;
const label = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' });
const selector = Type.String({ description: 'Matchers as in a query: {job="kernel"}.' });
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

/** Settings of a source of kind `loki`, as an operator writes them. */
export const lokiSettingsSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'What answers call this source.' }),
    kind: Type.Literal('loki'),
    ...connectionProperties,
    ...logStoreProperties,
    nodeLabel: Type.Optional(
      Type.Union([label, Type.Array(label, { minItems: 1 })], {
        description: `Label that names the node, or several to choose from (${usualNodeLabels.join(', ')}).`,
      }),
    ),
    matchers: Type.Optional(
      Type.String({ description: 'In every selector: {cluster="a"}, since names repeat across clusters.' }),
    ),
    kernel: nodeStreams('{job="kernel"}'),
    epilog: nodeStreams('{job="epilog"}'),
    job: Type.Optional(
      Type.Union(
        [
          Type.Literal(false),
          Type.Object(
            {
              selector: Type.Optional(selector),
              idLabel: Type.Optional(label),
              idIn: Type.Optional(Type.Enum(['label', 'metadata'])),
            },
            strict,
          ),
        ],
        { description: 'Streams of job text (every one with job_id); false: not in this store.' },
      ),
    ),
    queryBytes: Type.Optional(
      Type.Integer({ minimum: 500, maximum: 131_072, description: 'Longest query in bytes (5000).' }),
    ),
    querySeries: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Most nodes counted by one query (500).' }),
    ),
  },
  strict,
);

type Written = Static<typeof lokiSettingsSchema>;

export type ParsedLokiSettings =
  | { readonly ok: true; readonly settings: LokiSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks what an operator wrote; every mistake is a sentence that names place and remedy. */
export function parseLokiSettings(input: unknown): ParsedLokiSettings {
  const shape = shapeProblems(lokiSettingsSchema, input);
  if (shape.length > 0) return { ok: false, problems: shape };
  const written = input as Written;
  const http = parseHttpSettings(written);
  const problems = http.ok ? [] : [...http.problems];
  const read = (text: string, place: string): readonly Matcher[] => {
    const parsed = parseMatchers(text);
    if (parsed.ok) return parsed.matchers;
    problems.push(`${place}: ${parsed.problem}`);
    return [];
  };
  const matchers = read(written.matchers ?? '', 'matchers');
  const nodes = (name: 'kernel' | 'epilog'): NodeStreams | null => {
    const streams = written[name];
    if (streams === false) return null;
    const own = read(streams?.selector ?? `{job="${name}"}`, `${name}.selector`);
    return { matchers: own, format: streams?.format ?? 'auto' };
  };
  const job: JobStreams | null =
    written.job === false
      ? null
      : {
          matchers: read(written.job?.selector ?? '', 'job.selector'),
          idLabel: written.job?.idLabel ?? 'job_id',
          idIn: written.job?.idIn ?? 'label',
        };
  const kernel = nodes('kernel');
  const epilog = nodes('epilog');
  if (problems.length === 0) problems.push(...tooWide(matchers, { kernel, epilog, job }));
  if (!http.ok || problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    settings: {
      name: written.name,
      http: http.settings,
      store: logStoreSettingsOf(written),
      nodeLabels: [written.nodeLabel ?? usualNodeLabels].flat(),
      matchers,
      kernel,
      epilog,
      job,
      queryBytes: written.queryBytes ?? 5000,
      querySeries: written.querySeries ?? 500,
    },
  };
}

/** The label of a job's id makes its selector selective. */
function tooWide(
  fixed: readonly Matcher[],
  { kernel, epilog, job }: Pick<LokiSettings, 'kernel' | 'epilog' | 'job'>,
): readonly string[] {
  const streams = { kernel, epilog, job: job?.idIn === 'metadata' ? job : null };
  return Object.entries(streams).flatMap(([name, own]) =>
    own === null || isSelective([...fixed, ...own.matchers])
      ? []
      : [`${name}.selector: selects every stream, which the server refuses: add {label="value"}`],
  );
}
