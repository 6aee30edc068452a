/** The part of LogQL that the fake server understands; whatever it does not is a parse error. */
export interface ParsedQuery {
  readonly select: (labels: Readonly<Record<string, string>>) => boolean;
  readonly keep: (line: string, metadata: Readonly<Record<string, string>>) => boolean;
}

export interface ParsedCount extends ParsedQuery {
  readonly by: string | null;
  readonly rangeNanos: bigint;
}

export class LogqlError extends Error {}

/** `{a="b",c=~"d"} |~ "e" | f="g"` */
export function parseLogQuery(text: string): ParsedQuery {
  const [query, rest] = readQuery(text.trim());
  if (rest.trim() !== '') throw new LogqlError('unexpected text after the query');
  return query;
}

/** `sum(count_over_time({...}[60000ms]))`, `sum by (host) (...)` */
export function parseCount(text: string): ParsedCount {
  const head = /^sum\s*(?:by\s*\(\s*(\w+)\s*\)\s*)?\(\s*count_over_time\(/.exec(text);
  if (head === null) throw new LogqlError('only counts are understood');
  const [query, rest] = readQuery(text.slice(head[0].length));
  const tail = /^\s*\[(\d+)ms\]\s*\)\s*\)$/.exec(rest);
  if (tail === null) throw new LogqlError('no range');
  return { ...query, by: head[1] ?? null, rangeNanos: BigInt(tail[1] ?? 0) * 1_000_000n };
}

function readQuery(text: string): readonly [ParsedQuery, string] {
  if (!text.startsWith('{')) throw new LogqlError('a query begins with a selector');
  let rest = text.slice(1).trimStart();
  const matchers: ((labels: Readonly<Record<string, string>>) => boolean)[] = [];
  let selective = false;
  while (!rest.startsWith('}')) {
    const head = /^([A-Za-z_]\w*)\s*(=~|!~|!=|=)\s*/.exec(rest);
    if (head === null) throw new LogqlError('a matcher was expected');
    const [value, after] = readString(rest.slice(head[0].length));
    const [, label = '', operator = ''] = head;
    const test = operator.endsWith('~') ? whole(value) : (other: string): boolean => other === value;
    const wanted = !operator.startsWith('!');
    selective ||= wanted && !test('');
    matchers.push(labels => test(labels[label] ?? '') === wanted);
    rest = after.trimStart();
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith('}')) throw new LogqlError('unexpected text in the selector');
  }
  if (!selective) {
    throw new LogqlError(
      'queries require at least one regexp or equality matcher that does not have an empty-compatible value',
    );
  }
  rest = rest.slice(1);
  const stages: ParsedQuery['keep'][] = [];
  for (;;) {
    const trimmed = rest.trimStart();
    const label = /^\|\s*([A-Za-z_]\w*)\s*=\s*/.exec(trimmed);
    if (trimmed.startsWith('|~')) {
      const [value, after] = readString(trimmed.slice(2).trimStart());
      const pattern = patternOf(value);
      stages.push(line => pattern.test(line));
      rest = after;
    } else if (label !== null) {
      const [value, after] = readString(trimmed.slice(label[0].length));
      stages.push((_line, metadata) => metadata[label[1] ?? ''] === value);
      rest = after;
    } else break;
  }
  const select: ParsedQuery['select'] = labels => matchers.every(matches => matches(labels));
  return [{ select, keep: (line, metadata) => stages.every(keep => keep(line, metadata)) }, rest];
}

function readString(text: string): readonly [string, string] {
  const found = /^(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/s.exec(text);
  if (found === null) throw new LogqlError('a string was expected');
  const value = found[2] ?? (JSON.parse(`"${found[1] ?? ''}"`) as string);
  return [value, text.slice(found[0].length)];
}

function whole(value: string): (text: string) => boolean {
  const literals = value.split('|');
  // Ten thousand names in one alternation are quicker in a set.
  if (literals.every(each => /^[\w.\\:-]*$/.test(each))) {
    const set = new Set(literals.map(each => each.replace(/\\/g, '')));
    return text => set.has(text);
  }
  const pattern = new RegExp(`^(?:${value})$`);
  return text => pattern.test(text);
}

function patternOf(value: string): RegExp {
  return value.startsWith('(?i)') ? new RegExp(value.slice(4), 'i') : new RegExp(value);
}
