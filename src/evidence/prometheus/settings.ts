import Type, { type Static } from 'typebox';
import { parseHttpSettings } from '../http-client/parse-settings.ts';
import { connectionProperties, type HttpSettings } from '../http-client/settings.ts';
import { type Matcher, parseMatchers } from '../log-store/matchers.ts';
import { shapeProblems } from '../shape-problems.ts';

export interface PrometheusSettings {
  readonly name: string;
  readonly http: HttpSettings;
  /** Labels that may name the node, best first; which one does is found out, for each exporter. */
  readonly nodeLabels: readonly string[];
  /** In every selector. */
  readonly matchers: readonly Matcher[];
  /** What the server calls a metric that rules know under another name; null: it is not to be asked for. */
  readonly metricNames: Readonly<Record<string, string | null>>;
  /** Series are read of so many nodes at the most. */
  readonly mostNodes: number;
  /** The most samples of one reading. */
  readonly mostSamples: number;
  /** Names of nodes in one query take so many bytes at the most. */
  readonly queryBytes: number;
  /** A node that had samples this long before the window is known. */
  readonly knownHours: number;
  /** How far back `analyze` without times reads. */
  readonly everythingHours: number;
}

/** Exporters name their node under these; `instance` carries the port that was scraped. */
export const usualNodeLabels: readonly string[] = [
  'Hostname',
  'hostname',
  'nodename',
  'node',
  'kubernetes_node',
  'host',
  'instance',
];

const strict = { additionalProperties: false } as const;
const label = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' });
const metric = Type.String({ pattern: '^[A-Za-z_:][A-Za-z0-9_:]*$' });

/** Settings of a source of kind `prometheus`, as an operator writes them. */
export const prometheusSettingsSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'What answers call this source.' }),
    kind: Type.Literal('prometheus'),
    ...connectionProperties,
    nodeLabel: Type.Optional(
      Type.Union([label, Type.Array(label, { minItems: 1, maxItems: 16 })], {
        description: `Label that names the node, or several to choose from (${usualNodeLabels.join(', ')}).`,
      }),
    ),
    matchers: Type.Optional(
      Type.String({ description: 'In every selector: {cluster="a"}, since names repeat across clusters.' }),
    ),
    metrics: Type.Optional(
      Type.Record(Type.String(), Type.Union([metric, Type.Literal(false)]), {
        description: 'What a metric of the rules is called here, or false: not to be asked for.',
      }),
    ),
    mostNodes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1024, description: 'Series are read of so many nodes (64).' }),
    ),
    mostSamples: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The most samples of one reading (2000000).' }),
    ),
    queryBytes: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 1_048_576,
        description: 'Names of nodes in one query, in bytes (100000).',
      }),
    ),
    knownHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 720,
        description: 'A node is known for so long after a sample (24).',
      }),
    ),
    everythingHours: Type.Optional(
      Type.Number({ minimum: 0, maximum: 720, description: 'How far back analyze without times reads (24).' }),
    ),
  },
  strict,
);

export type ParsedPrometheusSettings =
  | { readonly ok: true; readonly settings: PrometheusSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks what an operator wrote; every mistake is a sentence that names place and remedy. */
export function parsePrometheusSettings(input: unknown): ParsedPrometheusSettings {
  const shape = shapeProblems(prometheusSettingsSchema, input);
  if (shape.length > 0) return { ok: false, problems: shape };
  const written = input as Static<typeof prometheusSettingsSchema>;
  const http = parseHttpSettings(written);
  const matchers = parseMatchers(written.matchers ?? '');
  const problems = [
    ...(http.ok ? [] : http.problems),
    ...(matchers.ok ? [] : [`matchers: ${matchers.problem}`]),
  ];
  if (!http.ok || !matchers.ok) return { ok: false, problems };
  const names = Object.entries(written.metrics ?? {}).map(([ours, theirs]) => [
    ours,
    theirs === false ? null : theirs,
  ]);
  return {
    ok: true,
    settings: {
      name: written.name,
      http: http.settings,
      nodeLabels: [written.nodeLabel ?? usualNodeLabels].flat(),
      matchers: matchers.matchers,
      metricNames: Object.fromEntries(names),
      mostNodes: written.mostNodes ?? 64,
      mostSamples: written.mostSamples ?? 2_000_000,
      queryBytes: written.queryBytes ?? 100_000,
      knownHours: written.knownHours ?? 24,
      everythingHours: written.everythingHours ?? 24,
    },
  };
}
