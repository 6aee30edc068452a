import { type Static, Type } from 'typebox';
import { errorCategories } from '../../contract/index.ts';
import { sayingNames } from './sayings.ts';
import { captureNames } from './vocabulary.ts';

/** What a rule file and a catalogue file may hold: the one source of their checks, types and JSON Schema. */
const origins = ['kernel', 'scheduler', 'exporter', 'health', 'job'] as const;
const roles = [
  'root',
  'cascade',
  'victim',
  'confirmation',
  'progress',
  'boot',
  'maintenance',
  'placement',
  'noise',
] as const;

/** A year: nothing of one failure reaches further. */
const longestSeconds = 31_536_000;

const strict = { additionalProperties: false } as const;
const text = () => Type.String({ minLength: 1 });
const texts = () => Type.Array(text(), { minItems: 1 });

const saying = () => Type.Array(Type.Enum([...sayingNames]), { minItems: 1, uniqueItems: true });

const identifier = Type.String({ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*(?:/[a-z0-9]+(?:-[a-z0-9]+)*)*$' });
const symptomName = Type.String({ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' });
const category = Type.Enum([...errorCategories]);
const blames = Type.Enum(['node', 'job', 'nobody']);
const role = Type.Enum([...roles]);
const strength = Type.Enum(['S1', 'S2', 'S3', 'S4', 'S5', 'S6']);
const status = Type.Enum(['experimental', 'test', 'stable', 'deprecated']);
const origin = Type.Enum([...origins]);

const inhibition = Type.Object(
  {
    symptoms: texts(),
    scope: Type.Enum(['device', 'node', 'domain', 'job']),
    within_seconds: Type.Integer({ minimum: 0, maximum: longestSeconds }),
  },
  strict,
);

const thenLine = Type.Object(
  {
    pattern: text(),
    ignore_case: Type.Optional(Type.Boolean()),
    lines: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    seconds: Type.Optional(Type.Number({ minimum: 0, maximum: longestSeconds })),
    direction: Type.Optional(Type.Enum(['forward', 'backward'])),
    same: Type.Optional(Type.Enum(['pid', 'device'])),
    absent: Type.Optional(Type.Boolean()),
  },
  strict,
);

const lineMatch = Type.Object(
  {
    origins: Type.Array(origin, { minItems: 1, uniqueItems: true }),
    keywords: texts(),
    pattern: text(),
    ignore_case: Type.Optional(Type.Boolean()),
    unless: Type.Optional(text()),
    says: Type.Optional(saying()),
    unless_says: Type.Optional(saying()),
    // biome-ignore lint/suspicious/noThenProperty: the word authors of rules write; it holds a list, never a function
    then: Type.Optional(Type.Array(thenLine, { maxItems: 4 })),
  },
  strict,
);

const stateMatch = Type.Object(
  {
    entity: Type.Enum(['job', 'node', 'check']),
    field: text(),
    values: Type.Optional(texts()),
    pattern: Type.Optional(text()),
    unless: Type.Optional(text()),
    says: Type.Optional(saying()),
    unless_says: Type.Optional(saying()),
  },
  strict,
);

const sampleMatch = Type.Object(
  {
    metrics: texts(),
    changed: Type.Optional(Type.Boolean()),
    to: Type.Optional(Type.Array(Type.Number(), { minItems: 1 })),
    increased_by: Type.Optional(Type.Number()),
    above: Type.Optional(Type.Number()),
    below: Type.Optional(Type.Number()),
    away_from_median_by: Type.Optional(Type.Number({ minimum: 0 })),
  },
  strict,
);

const captures = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { enum: [...captureNames] },
  additionalProperties: { type: 'string' },
});

const example = Type.Object(
  {
    text: text(),
    origin: Type.Optional(origin),
    captures: Type.Optional(captures),
    also: Type.Optional(Type.Array(identifier)),
  },
  strict,
);

const nearMiss = Type.Object(
  {
    text: text(),
    origin: Type.Optional(origin),
    because: text(),
    also: Type.Optional(Type.Array(identifier)),
  },
  strict,
);

export const ruleSchema = Type.Object(
  {
    id: identifier,
    title: text(),
    status,
    symptom: symptomName,
    category,
    blames,
    role,
    strength,
    match: Type.Object(
      {
        line: Type.Optional(lineMatch),
        state: Type.Optional(stateMatch),
        sample: Type.Optional(sampleMatch),
      },
      { ...strict, minProperties: 1, maxProperties: 1 },
    ),
    count: Type.Optional(
      Type.Object(
        {
          at_least: Type.Integer({ minimum: 2 }),
          within_seconds: Type.Number({ minimum: 0, maximum: longestSeconds }),
          by: Type.Enum(['node', 'device', 'link']),
        },
        strict,
      ),
    ),
    keep: Type.Optional(Type.Enum(['ends'])),
    catalogue: Type.Optional(Type.Enum(['xid', 'sxid', 'nvlink'])),
    lasts: Type.Optional(Type.Boolean()),
    inhibits: Type.Optional(Type.Array(inhibition)),
    caution: text(),
    references: texts(),
    examples: Type.Object(
      {
        match: Type.Array(example, { minItems: 1 }),
        no_match: Type.Array(nearMiss, { minItems: 1 }),
      },
      strict,
    ),
  },
  strict,
);
export type RuleFile = Static<typeof ruleSchema>;

const bits = Type.String({ pattern: '^[01-]{32}$' });
const hex = Type.String({ pattern: '^0x[0-9a-fA-F]{1,8}$' });

const row = Type.Object(
  {
    code: text(),
    title: text(),
    symptom: Type.Optional(symptomName),
    category,
    blames,
    role,
    strength,
    status,
    inhibits: Type.Optional(Type.Array(inhibition)),
    caution: Type.Optional(text()),
    xid: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
    unit: Type.Optional(text()),
    intr_info_v1: Type.Optional(bits),
    intr_info_v2: Type.Optional(bits),
    error_status: Type.Optional(hex),
    severity: Type.Optional(text()),
  },
  strict,
);

export const catalogueSchema = Type.Object(
  { title: text(), references: texts(), rows: Type.Array(row, { minItems: 1 }) },
  strict,
);
export type CatalogueFile = Static<typeof catalogueSchema>;
export type CatalogueFileRow = CatalogueFile['rows'][number];

/** The published JSON Schema of a rule file, as `api/rule.schema.json` holds it. */
export function ruleSchemaText(): string {
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Rule of the attribution adapter',
    ...ruleSchema,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
