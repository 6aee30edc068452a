/** For JSON.stringify: nanoseconds do not fit a JavaScript number. */
export function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
