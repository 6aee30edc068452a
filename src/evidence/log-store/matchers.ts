/** One matcher of a stream selector, as it is written into queries. */
export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

export type ParsedMatchers =
  | { readonly ok: true; readonly matchers: readonly Matcher[] }
  | { readonly ok: false; readonly problem: string };

const one =
  /\s*([A-Za-z_][A-Za-z0-9_]{0,254})\s*(=~|!~|!=|=)\s*(?:"((?:[^"\\\n]|\\.){0,1000})"|`([^`]{0,1000})`)\s*(,|$)/y;

/** Reads what an operator copied from a query: `{job="kernel", cluster=~"gpu-.*"}`, with or without braces. */
export function parseMatchers(text: string): ParsedMatchers {
  const inside = text
    .trim()
    .replace(/^\{(.*)\}$/s, '$1')
    .trim();
  const matchers: Matcher[] = [];
  for (let at = 0; at < inside.length; ) {
    one.lastIndex = at;
    const match = one.exec(inside);
    const [whole, label, operator, quoted, raw] = match ?? [];
    const value = quoted === undefined ? raw : unquote(quoted);
    if (whole === undefined || label === undefined || value == null) {
      return {
        ok: false,
        problem: `cannot be read from character ${at + 1} on: write {label="value", other=~"a|b"}`,
      };
    }
    matchers.push({ label, operator: operator as Matcher['operator'], value });
    at += whole.length;
  }
  return { ok: true, matchers };
}

/** Go's escapes are JSON's for everything that occurs in labels. */
function unquote(text: string): string | null {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return null;
  }
}

/** A string of LogQL: raw where it can be, which needs no second escape in patterns. */
export function quote(text: string): string {
  return /^[^`\r\n]*\\[^`\r\n]*$/.test(text) ? `\`${text}\`` : JSON.stringify(text);
}

export function writeMatcher({ label, operator, value }: Matcher): string {
  return `${label}${operator}${quote(value)}`;
}

/** Whether a server would take a selector: it wants one matcher that an absent label does not fulfil. */
export function isSelective(matchers: readonly Matcher[]): boolean {
  return matchers.some(
    ({ operator, value }) => value !== '' && (operator === '=' || (operator === '=~' && value !== '.*')),
  );
}

/** Text that stands for itself in a pattern. */
export function escapePattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}

/** What may be put into a query as the name of a node. */
export function isNodeName(name: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,255}$/.test(name);
}
