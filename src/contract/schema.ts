import type { Static, TNull, TSchema, TUnion } from 'typebox';
import { Type } from 'typebox';

/** A named model or enumeration of the OpenAPI document, referred to from others. */
export interface TReference<T extends TSchema> extends TSchema {
  readonly '~unsafe': Static<T>;
  /** Only a type: what the reference leads to. */
  readonly '~to'?: T;
  readonly $ref: string;
}

export interface TDatetime extends TSchema {
  readonly '~unsafe': string;
  readonly type: 'string';
  readonly format: 'date-time';
}

interface Words {
  readonly title?: string;
  readonly description?: string;
}

const prefix = '#/components/schemas/';

export function reference<T extends TSchema>(name: string, words: Words = {}): TReference<T> {
  return Type.Unsafe<Static<T>>({ $ref: `${prefix}${name}`, ...words }) as TReference<T>;
}

/** The name a reference leads to. */
export function referredName(schema: { readonly $ref: string }): string {
  return schema.$ref.slice(prefix.length);
}

export function datetime(words: Words = {}): TDatetime {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', ...words }) as TDatetime;
}

/** FastAPI's form of `T | None`; without a title where it holds a reference. */
export function nullable<T extends TSchema>(schema: T, words: Words = {}): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], { ...words });
}

export function enumeration<const T extends string>(values: readonly T[], title: string, description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], title, description });
}
