import type { Static, TArray, TInteger, TNull, TObject, TSchema, TUnion } from 'typebox';
import type { TDatetime, TReference } from '../schema.ts';
import type { Datetime } from './calendar.ts';

/** What the walk makes of a value: integers exact, datetimes read, members left out filled with their defaults. */
export type Validated<S> = S extends { readonly '~to'?: infer T extends TSchema } & TReference<TSchema>
  ? Validated<T>
  : S extends TObject<infer P>
    ? { readonly [K in keyof P]: Validated<P[K]> }
    : S extends TArray<infer I>
      ? readonly Validated<I>[]
      : S extends TUnion<[infer T extends TSchema, TNull]>
        ? Validated<T> | null
        : S extends TInteger
          ? bigint
          : S extends TDatetime
            ? Datetime
            : S extends TSchema
              ? Static<S>
              : never;
