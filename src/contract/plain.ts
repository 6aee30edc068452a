/** Reading of JSON values of unknown shape: each gives the value if it is of that type, else something empty. */

export type Plain = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function plain(value: unknown): Plain {
  return isPlain(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function strings(value: unknown): readonly string[] {
  return list(value).filter(item => typeof item === 'string');
}

export function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** An own member; what an object inherits does not count. */
export function member(object: Plain, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Names of either object, those of the first one first. */
export function namesOfBoth(a: Plain, b: Plain): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

/** Equal as JSON, whatever the order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isPlain(value)) return JSON.stringify(value) ?? 'undefined';
  const names = Object.keys(value).sort();
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
