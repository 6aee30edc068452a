/** A JSON schema as the OpenAPI document has them. */
export interface DocumentSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly DocumentSchema[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  readonly items?: DocumentSchema;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
}

/** A body, and what about it is changed. `refused`: whether it must be; null where coercion may save it. */
export interface SchemaRequest {
  readonly says: string;
  readonly body: unknown;
  readonly refused: boolean | null;
}

export type Resolve = (schema: DocumentSchema) => DocumentSchema;

/** The smallest value that fits: only what is required. `whole`: every member that there is. */
export function validValue(schema: DocumentSchema, resolve: Resolve, whole: boolean): unknown {
  const { type, enum: words, anyOf, properties = {}, required = [], items, ...bounds } = resolve(schema);
  if ('const' in bounds) return bounds.const;
  if (words !== undefined) return words[0];
  if (anyOf !== undefined) return validValue(anyOf[0] ?? {}, resolve, whole);
  switch (type) {
    case 'object': {
      const names = Object.keys(properties).filter(name => whole || required.includes(name));
      return Object.fromEntries(names.map(name => [name, validValue(properties[name] ?? {}, resolve, whole)]));
    }
    case 'array':
      return whole && items !== undefined ? [validValue(items, resolve, whole)] : [];
    case 'integer':
    case 'number':
      return Math.max(bounds.minimum ?? 1, (bounds.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return bounds.format === 'date-time'
        ? '2026-11-30T12:00:00Z'
        : 'a'.repeat(Math.max(bounds.minLength ?? 1, 1));
  }
}

/** Every constraint of a schema kept and violated in turn, at every place of a whole valid value. */
export function requestsFromSchema(schema: DocumentSchema, resolve: Resolve): readonly SchemaRequest[] {
  const whole = validValue(schema, resolve, true);
  const places = placesOf(schema, resolve, []);
  return [
    { says: 'every member', body: whole, refused: false },
    { says: 'only what is required', body: validValue(schema, resolve, false), refused: false },
    ...places.flatMap(place =>
      variants(place, resolve).map(({ says, value, refused }) => ({
        says: `${place.path.join('.') || 'the body'}: ${says}`,
        body: changedAt(whole, place.path, value),
        refused,
      })),
    ),
  ];
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: DocumentSchema;
  readonly isRequired: boolean;
}

function placesOf(
  schema: DocumentSchema,
  resolve: Resolve,
  path: Place['path'],
  isRequired = true,
): readonly Place[] {
  const resolved = resolve(schema);
  const inner = (resolved.anyOf ?? [resolved]).map(resolve);
  const below = inner.flatMap(({ properties = {}, required = [], items }) => [
    ...Object.entries(properties).flatMap(([name, member]) =>
      placesOf(member, resolve, [...path, name], required.includes(name)),
    ),
    ...(items === undefined ? [] : placesOf(items, resolve, [...path, 0], false)),
  ]);
  return [{ path, schema: resolved, isRequired }, ...below];
}

/** Stands for leaving a member out. */
const absent = Symbol('absent');

interface Variant {
  readonly says: string;
  readonly value: unknown;
  readonly refused: boolean | null;
}

function variants({ path, schema, isRequired }: Place, resolve: Resolve): readonly Variant[] {
  const forms = (schema.anyOf ?? [schema]).map(resolve);
  const takes = (type: string): boolean => forms.some(form => form.type === type);
  const isMember = typeof path.at(-1) === 'string';
  const wrongTypes: readonly Variant[] = [
    { says: 'null', value: null, refused: !takes('null') },
    { says: 'an object', value: { x: 1 }, refused: !takes('object') || null },
    { says: 'a list', value: [[]], refused: !takes('array') || null },
    { says: 'a number', value: 1.5, refused: takes('number') ? false : null },
    { says: 'true', value: true, refused: takes('boolean') ? false : null },
    { says: 'a text', value: 'no such thing', refused: takes('string') ? null : true },
    { says: 'an empty text', value: '', refused: takes('string') ? null : true },
  ];
  return [
    ...(isMember ? [{ says: 'left out', value: absent, refused: isRequired }] : []),
    ...wrongTypes,
    ...forms.flatMap(form => boundVariants(form)),
  ];
}

function boundVariants(form: DocumentSchema): readonly Variant[] {
  const { type, enum: words, minimum, maximum, exclusiveMinimum, minLength, maxLength, format } = form;
  const found: Variant[] = [];
  const tell = (says: string, value: unknown, refused: boolean): void => {
    found.push({ says, value, refused });
  };
  if (words !== undefined) {
    for (const word of words) tell(`the word ${String(word)}`, word, false);
    tell('a word that is not listed', 'no such word', true);
  }
  if (minimum !== undefined) {
    tell('the least', minimum, false);
    tell('less than the least', minimum - 1, true);
  }
  if (maximum !== undefined) tell('more than the most', maximum + 1, true);
  if (exclusiveMinimum !== undefined) tell('what it must be above', exclusiveMinimum, true);
  if (minLength !== undefined && minLength > 0) tell('too short', 'a'.repeat(minLength - 1), true);
  if (maxLength !== undefined) {
    tell('the longest', 'a'.repeat(maxLength), false);
    tell('too long', 'a'.repeat(maxLength + 1), true);
  }
  if (type === 'object') {
    const whole = { 'a member that nobody knows': [null], ['__proto__']: 1 };
    found.push({ says: 'members that nobody knows', value: added(whole), refused: false });
  }
  if (format === 'date-time') {
    tell('a datetime with an offset', '2026-11-30T12:00:00.123456+05:30', false);
    tell('a month that is none', '2026-13-01T00:00:00Z', true);
    tell('words', 'yesterday', true);
  }
  if (type === 'integer') tell('a fraction', 1.5, true);
  return found;
}

type Change = (value: unknown) => unknown;

/** Adds members to what stands at the place. */
function added(members: Readonly<Record<string, unknown>>): Change {
  return value => ({ ...(value as object), ...members });
}

function changedAt(root: unknown, path: Place['path'], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'function' ? (value as Change)(root) : value;
  const inner = (root as Readonly<Record<string | number, unknown>>)[name];
  if (Array.isArray(root)) return root.with(Number(name), changedAt(inner, rest, value));
  if (value === absent && rest.length === 0) {
    return Object.fromEntries(Object.entries(root as object).filter(([member]) => member !== name));
  }
  return { ...(root as object), [name]: changedAt(inner, rest, value) };
}
