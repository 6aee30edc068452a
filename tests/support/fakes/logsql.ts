/** The part of LogsQL that the fake server understands; whatever it does not is a parse error. */
export type Row = Readonly<Record<string, string>>;

export interface ParsedLogsql {
  readonly keep: (row: Row, nanos: bigint) => boolean;
  readonly sort: boolean;
  readonly limit: number | null;
  readonly fields: readonly string[] | null;
  readonly count: { readonly by: string | null; readonly column: string } | null;
}

export class LogsqlError extends Error {}

/** `{a="b"} f:="x" g:in("y","z") _time:[t1, t2) _msg:~"p" | sort by (_time) limit 5 | fields _time, _msg` */
export function parseLogsql(text: string): ParsedLogsql {
  const reader = { rest: text.trim() };
  const filters: ParsedLogsql['keep'][] = [];
  while (reader.rest !== '' && !reader.rest.startsWith('|')) filters.push(readFilter(reader));
  let parsed: ParsedLogsql = {
    keep: (row, nanos) => filters.every(filter => filter(row, nanos)),
    sort: false,
    limit: null,
    fields: null,
    count: null,
  };
  while (reader.rest !== '') parsed = { ...parsed, ...readPipe(reader) };
  return parsed;
}

interface Reader {
  rest: string;
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  const found = pattern.exec(reader.rest);
  if (found !== null) reader.rest = reader.rest.slice(found[0].length).trimStart();
  return found;
}

function readFilter(reader: Reader): ParsedLogsql['keep'] {
  if (take(reader, /^\*/) !== null) return () => true;
  if (reader.rest.startsWith('{')) return readStreamFilter(reader);
  const field = readName(reader);
  if (take(reader, /^:\[/) !== null) {
    const range = take(reader, /^([^,\s]+),\s*([^)\s]+)\)/);
    if (field !== '_time' || range === null)
      throw new LogsqlError('only half-open ranges of time are understood');
    const [from, to] = [stampOf(range[1] ?? ''), stampOf(range[2] ?? '')];
    return (_row, nanos) => nanos >= from && nanos < to;
  }
  if (take(reader, /^:in\(/) !== null) {
    const values = new Set<string>();
    while (take(reader, /^\)/) === null) {
      values.add(readString(reader));
      take(reader, /^,/);
    }
    return row => values.has(row[field] ?? '');
  }
  const operator = take(reader, /^:(=|~)/)?.[1];
  if (operator === undefined) throw new LogsqlError(`unexpected text after ${field}`);
  const value = readString(reader);
  if (operator === '=') return row => (row[field] ?? '') === value;
  const pattern = patternOf(value);
  return row => pattern.test(row[field] ?? '');
}

function readStreamFilter(reader: Reader): ParsedLogsql['keep'] {
  take(reader, /^\{/);
  const matchers: ((row: Row) => boolean)[] = [];
  while (take(reader, /^\}/) === null) {
    const label = readName(reader);
    const operator = take(reader, /^(=~|!~|!=|=)/)?.[1];
    if (operator === undefined) throw new LogsqlError('a matcher was expected');
    const value = readString(reader);
    const pattern = operator.endsWith('~') ? new RegExp(`^(?:${value})$`) : null;
    const wanted = !operator.startsWith('!');
    matchers.push(row => {
      const own = row[label] ?? '';
      return (pattern === null ? own === value : pattern.test(own)) === wanted;
    });
    take(reader, /^,/);
  }
  return row => matchers.every(matches => matches(row));
}

function readPipe(reader: Reader): Partial<ParsedLogsql> {
  take(reader, /^\|/);
  const sorted = take(reader, /^sort by \(_time\)(?: limit (\d+))?/);
  if (sorted !== null) return { sort: true, ...(sorted[1] === undefined ? {} : { limit: Number(sorted[1]) }) };
  const limited = take(reader, /^limit (\d+)/);
  if (limited !== null) return { limit: Number(limited[1]) };
  if (take(reader, /^fields /) !== null) {
    const fields = [readName(reader)];
    while (take(reader, /^,/) !== null) fields.push(readName(reader));
    return { fields };
  }
  if (take(reader, /^stats /) === null) throw new LogsqlError('unknown pipe');
  let by: string | null = null;
  if (take(reader, /^by \(/) !== null) {
    by = readName(reader);
    take(reader, /^\)/);
  }
  const column = take(reader, /^count\(\) as (\w+)/)?.[1];
  if (column === undefined) throw new LogsqlError('only counts are understood');
  return { count: { by, column } };
}

function readName(reader: Reader): string {
  if (reader.rest.startsWith('"')) return readString(reader);
  const name = take(reader, /^[A-Za-z_][A-Za-z0-9_.]*/)?.[0];
  if (name === undefined) throw new LogsqlError('the name of a field was expected');
  return name;
}

function readString(reader: Reader): string {
  const found = take(reader, /^"((?:[^"\\]|\\.)*)"/s);
  if (found === null) throw new LogsqlError('a quoted string was expected');
  return JSON.parse(`"${found[1] ?? ''}"`) as string;
}

function patternOf(value: string): RegExp {
  return value.startsWith('(?i)') ? new RegExp(value.slice(4), 'i') : new RegExp(value);
}

function stampOf(written: string): bigint {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})Z$/.exec(written);
  if (found === null) throw new LogsqlError('a stamp was expected');
  return BigInt(Date.parse(`${found[1]}Z`)) * 1_000_000n + BigInt(found[2] ?? '0');
}
