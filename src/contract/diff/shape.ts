import type { Plain } from '../plain.ts';
import { isPlain, list, member, plain, strings, text } from '../plain.ts';

/** A schema with references followed, `allOf` merged, unions flattened and null set apart. */
export interface Shape {
  readonly nullable: boolean;
  /** What a value that is not null may be; empty where it can only be null. */
  readonly variants: readonly Variant[];
  /** The property that tells variants apart, where the schema names one. */
  readonly discriminator: string | null;
  /** What a member left out counts as; undefined where nothing is said. */
  readonly absent: unknown;
  /** References that lead nowhere, or in a circle. */
  readonly dangling: readonly string[];
}

export interface Variant {
  /** Name of the component it comes from, where it is one. */
  readonly name: string | null;
  /** Null: any type. */
  readonly type: string | null;
  /** The only values it may have; null: not restricted. */
  readonly values: readonly unknown[] | null;
  readonly schema: Plain;
  /** Value of the discriminator that selects it. */
  readonly tag: string | null;
}

const maxHops = 100;

interface Reading {
  readonly document: Plain;
  readonly dangling: string[];
  hops: number;
}

export function shapeOf(schema: unknown, document: Plain): Shape {
  const reading: Reading = { document, dangling: [], hops: 0 };
  const whole = expand(schema, reading);
  const discriminator = plain(member(whole.schema, 'discriminator'));
  const property = text(member(discriminator, 'propertyName'));
  const mapping = plain(member(discriminator, 'mapping'));
  const all = flatten(whole, reading).map(variant => ({
    ...variant,
    tag: tagOf(variant, property, mapping, reading),
  }));
  const variants = all.filter(variant => variant.type !== 'null');
  return {
    nullable: variants.length < all.length || variants.some(allowsNull),
    variants: variants.map(withoutNull),
    discriminator: property,
    absent: member(whole.schema, 'default'),
    dangling: reading.dangling,
  };
}

interface Expanded {
  readonly name: string | null;
  readonly schema: Plain;
}

/** Follows references (what stands beside one wins) and merges `allOf`. */
function expand(schema: unknown, reading: Reading): Expanded {
  let { name, schema: read }: Expanded = { name: null, schema: plain(schema) };
  for (let ref = text(member(read, '$ref')); ref !== null; ref = text(member(read, '$ref'))) {
    reading.hops += 1;
    const target = reading.hops > maxHops ? undefined : follow(ref, reading.document);
    const { $ref: _, ...beside } = read;
    if (!isPlain(target)) {
      reading.dangling.push(ref);
      read = beside;
      break;
    }
    name = ref.slice(ref.lastIndexOf('/') + 1);
    read = { ...target, ...beside };
  }
  const parts = list(member(read, 'allOf'));
  if (parts.length === 0) return { name, schema: read };
  const { allOf: _, ...own } = read;
  const expanded = parts.map(part => expand(part, reading));
  const merged = [...expanded.map(part => part.schema), own].reduce(merge, {});
  return { name: name ?? (parts.length === 1 ? (expanded[0]?.name ?? null) : null), schema: merged };
}

/** What a local JSON pointer (`#/components/...`) leads to. */
export function follow(pointer: string, document: Plain): unknown {
  if (!pointer.startsWith('#/')) return undefined;
  const steps = pointer
    .slice(2)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((at, step) => (isPlain(at) ? member(at, step) : undefined), document);
}

function merge(a: Plain, b: Plain): Plain {
  const merged: Record<string, unknown> = { ...a, ...b };
  if ('properties' in a && 'properties' in b) {
    merged['properties'] = { ...plain(a['properties']), ...plain(b['properties']) };
  }
  if ('required' in a && 'required' in b) {
    merged['required'] = [...new Set([...strings(a['required']), ...strings(b['required'])])];
  }
  return merged;
}

function flatten({ name, schema }: Expanded, reading: Reading): readonly Omit<Variant, 'tag'>[] {
  const members = [...list(member(schema, 'anyOf')), ...list(member(schema, 'oneOf'))];
  if (members.length > 0 && reading.hops <= maxHops) {
    reading.hops += 1;
    return members.flatMap(part => flatten(expand(part, reading), reading));
  }
  const values = valuesOf(schema);
  const types = typesOf(schema, values);
  return types.map(type => ({ name, type, values, schema }));
}

function valuesOf(schema: Plain): readonly unknown[] | null {
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  const values = member(schema, 'enum');
  return Array.isArray(values) ? values : null;
}

function typesOf(schema: Plain, values: readonly unknown[] | null): readonly (string | null)[] {
  const type = member(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type) && type.length > 0) return strings(type);
  if (values !== null && values.length > 0 && values.every(value => typeof value === 'string'))
    return ['string'];
  if (values?.every(value => value === null)) return ['null'];
  return ['properties', 'additionalProperties', 'required'].some(key => key in schema) ? ['object'] : [null];
}

/** OpenAPI 3.0's `nullable`, a null among the values, or no type at all. */
function allowsNull({ type, values, schema }: Variant): boolean {
  if (values !== null) return values.includes(null);
  return type === null || schema['nullable'] === true;
}

function withoutNull(variant: Variant): Variant {
  const { values } = variant;
  return values === null ? variant : { ...variant, values: values.filter(value => value !== null) };
}

function tagOf(
  { name, schema }: Omit<Variant, 'tag'>,
  property: string | null,
  mapping: Plain,
  reading: Reading,
): string | null {
  if (property === null) return null;
  const mapped = Object.entries(mapping).find(([, ref]) => name !== null && text(ref)?.endsWith(`/${name}`));
  return mapped?.[0] ?? constantOf(schema, property, reading.document) ?? name;
}

/** The one string a property can have, if its schema allows only one. */
export function constantOf(schema: Plain, property: string, document: Plain): string | null {
  const declared = member(plain(member(schema, 'properties')), property);
  if (declared === undefined) return null;
  const values = valuesOf(expand(declared, { document, dangling: [], hops: 0 }).schema);
  return values?.length === 1 ? text(values[0]) : null;
}
