import { isPackedText, type PackedText, packElsewhere } from '../packed-text.ts';
import type { SqlValue } from '../statement.ts';

/** What a statement for PostgreSQL is given: a list becomes one array. */
export type PostgresValue = SqlValue | readonly SqlValue[];

export interface PostgresStatement {
  /** Placeholders are `$1`, `$2`, ... */
  readonly sql: string;
  readonly values: readonly (PostgresValue | PackedText)[];
}

/** A statement whose texts are packed. */
export interface ReadyStatement extends PostgresStatement {
  readonly values: readonly PostgresValue[];
}

/** Packs what is to be packed, before a connection is taken for it. */
export function readyUnit(unit: readonly PostgresStatement[]): Promise<readonly ReadyStatement[]> {
  const ready = (value: PostgresValue | PackedText) => (isPackedText(value) ? packElsewhere(value) : value);
  return Promise.all(
    unit.map(async ({ sql, values }) => ({ sql, values: await Promise.all(values.map(ready)) })),
  );
}

/**
 * PostgreSQL refuses the character of code 0 in texts, and what a caller sends may hold one: it is stored as a pair
 * of characters that begins with the one of code 1, as that one itself is.
 */
const marker = '\u0001';
const escapedZero = `${marker}0`;
const escapedEscape = `${marker}1`;

export function toPostgres(value: PostgresValue): unknown {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(toPostgres);
  return value;
}

function escapeText(text: string): string {
  if (!text.includes('\0') && !text.includes(marker)) return text;
  return text.replaceAll(marker, escapedEscape).replaceAll('\0', escapedZero);
}

function unescapeText(text: string): string {
  if (!text.includes(marker)) return text;
  return text
    .split(escapedEscape)
    .map(part => part.replaceAll(escapedZero, '\0'))
    .join(marker);
}

/** Readers of the types that our tables have, by the number of the type. */
const readers = new Map<number, (text: string) => SqlValue>([
  [17, bytesOf],
  [20, BigInt],
  [23, BigInt],
]);

/** In the form the driver asks for: the reader of a column of type `oid`. */
export function readerOf(oid: number): (text: string) => SqlValue {
  return readers.get(oid) ?? unescapeText;
}

/** `\x0a1b...` */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
}
