/** Where reading a JSON text stands, and what stopped it. Positions are UTF-16 code units. */
export interface Cursor {
  readonly text: string;
  at: number;
  failure: JsonFailure | null;
}

/**
 * Why a text is no JSON: `syntax` carries the words of Python's json module; `limit` is a text Python's parser gives up
 * on, or that is nested deeper than anyone needs.
 */
export interface JsonFailure {
  readonly kind: 'syntax' | 'limit';
  readonly message: string;
  readonly at: number;
}

/** What a scanning function returns once `cursor.failure` is set. */
export const failed: unique symbol = Symbol('failed');

export function fail(cursor: Cursor, message: string, at: number): typeof failed {
  cursor.failure = { kind: 'syntax', message, at };
  return failed;
}

export function failLimit(cursor: Cursor, message: string): typeof failed {
  cursor.failure = { kind: 'limit', message, at: cursor.at };
  return failed;
}

export function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  let at = cursor.at;
  for (let code = text.charCodeAt(at); isSpace(code); code = text.charCodeAt(at)) at += 1;
  cursor.at = at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Code points before a position, which is how Python counts; a lone surrogate counts as one. */
export function codePointsBefore(text: string, position: number): number {
  let pairs = 0;
  for (let at = 1; at < position; at += 1) {
    const low = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (low && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) {
      pairs += 1;
      at += 1;
    }
  }
  return position - pairs;
}
