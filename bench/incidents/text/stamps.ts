const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => String(value).padStart(2, '0');

/** Parts of a time in milliseconds, UTC, down to microseconds. */
function parts(at: number) {
  const date = new Date(at);
  const micros = Math.floor((((at % 1000) + 1000) % 1000) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: days[date.getUTCDay()] ?? '',
    monthName: months[date.getUTCMonth()] ?? '',
    clock: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`,
    micros: String(micros).padStart(6, '0'),
  };
}

/** `2026-03-02T10:05:11`. */
export function isoSeconds(at: number): string {
  const { year, month, day, clock } = parts(at);
  return `${year}-${two(month + 1)}-${two(day)}T${clock}`;
}

/** `2026-03-02T10:05:11.204311`. */
export const isoMicros = (at: number): string => `${isoSeconds(at)}.${parts(at).micros}`;

/** `2026-03-02T10:05:11Z`, as requests have it. */
export const isoZulu = (at: number): string => `${isoSeconds(at)}Z`;

/** `2026-03-02 10:05:11`. */
export const spaced = (at: number): string => isoSeconds(at).replace('T', ' ');

/** `2026-03-02 10:05:11,204`, as Python's logging has it. */
export const pythonStamp = (at: number): string => `${spaced(at)},${parts(at).micros.slice(0, 3)}`;

/** `Mon Mar  2 10:05:11 2026`, as `dmesg -T` has it. */
export function cStamp(at: number): string {
  const { weekday, monthName, day, clock, year } = parts(at);
  return `${weekday} ${monthName} ${String(day).padStart(2, ' ')} ${clock} ${year}`;
}

/** `Mar  2 10:05:11`, as syslog has it. */
export function syslogStamp(at: number): string {
  const { monthName, day, clock } = parts(at);
  return `${monthName} ${String(day).padStart(2, ' ')} ${clock}`;
}

/** `0302 10:05:11.204311`, as glog has it; torch's own writes nine digits and may drop the month's zero. */
export function glogStamp(at: number, wide: boolean): string {
  const { month, day, clock, micros } = parts(at);
  return wide
    ? `${month + 1}${two(day)} ${clock}.${micros}417`
    : `${two(month + 1)}${two(day)} ${clock}.${micros}`;
}

/** `  130.456250`, seconds since boot. */
export function bootStamp(at: number, bootAt: number): string {
  return ((at - bootAt) / 1000).toFixed(6).padStart(12, ' ');
}
