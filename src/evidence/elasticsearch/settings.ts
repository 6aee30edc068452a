import Type, { type Static } from 'typebox';
import { lineFormats } from '../../lines/formats/line-formats.ts';
import { parseHttpSettings } from '../http-client/parse-settings.ts';
import { connectionProperties, type HttpSettings } from '../http-client/settings.ts';
import { type LogStoreSettings, logStoreProperties, logStoreSettingsOf } from '../log-store/settings.ts';
import { shapeProblems } from '../shape-problems.ts';

/** Exact values that documents have in fields. */
export type Terms = Readonly<Record<string, string>>;

export interface ElasticsearchSettings {
  readonly name: string;
  readonly http: HttpSettings;
  readonly store: LogStoreSettings;
  /** Indices, data streams or patterns of them, separated by commas. */
  readonly index: string;
  readonly timeField: string;
  readonly messageField: string;
  /** A field of type `wildcard` or `keyword` with the whole message, to filter by; null: the server filters none. */
  readonly filterField: string | null;
  /** Fields that may name the node, best first; which one does is found out. */
  readonly nodeFields: readonly string[];
  /** In every query. */
  readonly terms: Terms;
  readonly kernel: { readonly terms: Terms; readonly format: string } | null;
  readonly epilog: { readonly terms: Terms; readonly format: string } | null;
  readonly job: { readonly terms: Terms; readonly idField: string; readonly fileField: string } | null;
}

/** Where a field is full text, its values stand in a field of keywords beside it. */
export const usualNodeFields: readonly string[] = [
  'host.name',
  'host.hostname',
  'hostname',
  'host',
  'node',
].flatMap(name => [name, `${name}.keyword`]);

const strict = { additionalProperties: false } as const;
const field = Type.String({ pattern: '^[A-Za-z_@][A-Za-z0-9_.@-]*$' });
const terms = Type.Record(Type.String({ pattern: '^[A-Za-z_@][A-Za-z0-9_.@-]*$' }), Type.String(), {
  description: 'Exact values by field: {job: kernel}.',
});
const nodeDocuments = (usual: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.Literal(false),
        Type.Object(
          {
            terms: Type.Optional(terms),
            format: Type.Optional(Type.Enum(['auto', ...lineFormats.map(format => format.name)])),
          },
          strict,
        ),
      ],
      { description: `Which documents they are (${usual}); false: not in this store.` },
    ),
  );

/** Settings of a source of kind `elasticsearch` (OpenSearch too), as an operator writes them. */
export const elasticsearchSettingsSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'What answers call this source.' }),
    kind: Type.Literal('elasticsearch'),
    ...connectionProperties,
    ...logStoreProperties,
    index: Type.String({
      pattern: '^[a-z0-9_.*+-][a-z0-9_.*+,:-]*$',
      description: 'Indices, data streams or patterns, separated by commas.',
    }),
    timeField: Type.Optional(field),
    messageField: Type.Optional(field),
    filterField: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_@][A-Za-z0-9_.@-]*$',
        description: 'Field of type wildcard or keyword with the whole message, to filter by (none).',
      }),
    ),
    nodeField: Type.Optional(
      Type.Union([field, Type.Array(field, { minItems: 1 })], {
        description: `Field that names the node, or several to choose from (${usualNodeFields.join(', ')}).`,
      }),
    ),
    terms: Type.Optional(terms),
    kernel: nodeDocuments('{job: kernel}'),
    epilog: nodeDocuments('{job: epilog}'),
    job: Type.Optional(
      Type.Union(
        [
          Type.Literal(false),
          Type.Object(
            {
              terms: Type.Optional(terms),
              idField: Type.Optional(field),
              fileField: Type.Optional(field),
            },
            strict,
          ),
        ],
        { description: 'Documents of job text (by job_id); false: not in this store.' },
      ),
    ),
  },
  strict,
);

export type ParsedElasticsearchSettings =
  | { readonly ok: true; readonly settings: ElasticsearchSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks what an operator wrote; every mistake is a sentence that names place and remedy. */
export function parseElasticsearchSettings(input: unknown): ParsedElasticsearchSettings {
  const shape = shapeProblems(elasticsearchSettingsSchema, input);
  if (shape.length > 0) return { ok: false, problems: shape };
  const written = input as Static<typeof elasticsearchSettingsSchema>;
  const http = parseHttpSettings(written);
  if (!http.ok) return http;
  const nodes = (name: 'kernel' | 'epilog') => {
    const own = written[name];
    return own === false ? null : { terms: own?.terms ?? { job: name }, format: own?.format ?? 'auto' };
  };
  const { job } = written;
  return {
    ok: true,
    settings: {
      name: written.name,
      http: http.settings,
      store: logStoreSettingsOf(written),
      index: written.index,
      timeField: written.timeField ?? '@timestamp',
      messageField: written.messageField ?? 'message',
      filterField: written.filterField ?? null,
      nodeFields: [written.nodeField ?? usualNodeFields].flat(),
      terms: written.terms ?? {},
      kernel: nodes('kernel'),
      epilog: nodes('epilog'),
      job:
        job === false
          ? null
          : {
              terms: job?.terms ?? {},
              idField: job?.idField ?? 'job_id',
              fileField: job?.fileField ?? 'log.file.path',
            },
    },
  };
}
