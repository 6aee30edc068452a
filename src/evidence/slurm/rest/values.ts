/** A member of something decoded; undefined where it is no object or has none. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** From here on numbers of 32 bits mean "none" or "unlimited". */
const noValue = 0xff_ff_ff_fe;

/**
 * A number as any version writes it: bare, boxed as `{"set": true, "infinite": false, "number": 3}`, or in text. Null
 * where it is not set, unlimited, or one of the values that stand for that. No time or count here comes near 2^53.
 */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'object' && value !== null) {
    if (member(value, 'set') === false || member(value, 'infinite') === true) return null;
    return numberOf(member(value, 'number') ?? null);
  }
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) return null;
  return number >= noValue ? null : number;
}

/** `"down"`, `["IDLE", "DRAIN"]`, with flags of their own in the oldest version: `IDLE+DRAIN`. */
export function stateOf(state: unknown, flags: unknown = []): string {
  const words = [state, flags].flat().filter(word => typeof word === 'string' && word !== '');
  return [...new Set(words.map(word => String(word).toUpperCase()))].join('+');
}

/**
 * `3:0`, an exit code and a signal: from a raw wait status, or from an object that has both. Null where nothing is
 * said, as in the oldest version's accounting, which calls a failed job's code a success.
 */
export function exitCodeOf(value: unknown, state: string): string | null {
  const raw = numberOf(value);
  if (raw !== null) return `${(raw >> 8) & 0xff}:${raw & 0x7f}`;
  const status = member(value, 'status');
  if (status === undefined) return null;
  const code = numberOf(member(value, 'return_code')) ?? 0;
  const signal = numberOf(member(value, 'signal', 'id')) ?? numberOf(member(value, 'signal', 'signal_id')) ?? 0;
  if (typeof status === 'string' && code === 0 && signal === 0 && !state.startsWith('COMPLETED')) return null;
  return `${code}:${signal}`;
}
