/** One stamp of a text: what its clock showed, and whether it says of which zone. */
export interface Stamp {
  /** Milliseconds since 1970 of what it shows, read as UTC. */
  readonly millis: number;
  readonly zoned: boolean;
}

/** What to write instead, in the same shape; `offset` only counts where a stamp says its zone. */
export interface NewStamp {
  readonly millis: number;
  readonly offset?: string;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const month = `(?:${months.join('|')})`;
const clock = String.raw`\d\d:\d\d:\d\d`;

/** ISO with or without a zone, ctime, syslog, glog with or without the zero of its month, and a machine's event log. */
const shapes = new RegExp(
  [
    String.raw`\b(?<date>\d{4}-\d\d-\d\d)(?<between>[T _])(?<time>${clock})(?<fraction>[.,]\d+)?(?<zone>Z|[+-]\d\d:\d\d| UTC)?`,
    String.raw`\b(?<day>${days.join('|')}) (?<dayMonth>${month}) (?<dayDate>[ \d]\d) (?<dayTime>${clock}) (?<dayYear>\d{4})`,
    String.raw`\b(?<logMonth>${month}) (?<logDate>[ \d]\d) (?<logTime>${clock})`,
    String.raw`\b(?<entryMonth>\d\d)/(?<entryDate>\d\d)/(?<entryYear>\d{4}) \| (?<entryTime>${clock})`,
    String.raw`\b(?<level>[IWEF])(?<glogMonth>\d{1,2})(?<glogDate>\d\d) (?<glogTime>${clock})`,
  ].join('|'),
  'g',
);

/** Rewrites every stamp of a text that shows a date. `year` is that of stamps without one. */
export function mapStamps(text: string, year: number, change: (stamp: Stamp) => NewStamp): string {
  return text.replaceAll(shapes, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    return rewritten(groups, year, change) ?? whole;
  });
}

function rewritten(
  groups: Readonly<Record<string, string | undefined>>,
  year: number,
  change: (stamp: Stamp) => NewStamp,
): string | null {
  const { date, time, zone, between, fraction = '', dayTime, logTime, glogMonth } = groups;
  if (date !== undefined) {
    const known = zone === 'Z' || zone === '+00:00' || zone === ' UTC';
    if (zone !== undefined && !known) return null;
    const { millis, offset } = change({ millis: Date.parse(`${date}T${time}Z`), zoned: known });
    const shown = new Date(millis).toISOString();
    const end = zone === undefined || zone === ' UTC' || offset === undefined ? (zone ?? '') : offset;
    return `${shown.slice(0, 10)}${between}${shown.slice(11, 19)}${fraction}${end}`;
  }
  if (dayTime !== undefined) {
    const of = Number(groups['dayYear']);
    const at = asDate(of, months.indexOf(groups['dayMonth'] ?? ''), groups['dayDate'], dayTime, change);
    return `${days[at.getUTCDay()]} ${dayOf(at)} ${clockOf(at)} ${at.getUTCFullYear()}`;
  }
  if (logTime !== undefined) {
    const at = asDate(year, months.indexOf(groups['logMonth'] ?? ''), groups['logDate'], logTime, change);
    return `${dayOf(at)} ${clockOf(at)}`;
  }
  const { entryMonth, entryDate, entryYear, entryTime } = groups;
  if (entryTime !== undefined) {
    const at = asDate(Number(entryYear), Number(entryMonth) - 1, entryDate, entryTime, change);
    const [shownYear, ...shownDate] = at.toISOString().slice(0, 10).split('-');
    return `${shownDate.join('/')}/${shownYear} | ${clockOf(at)}`;
  }
  const at = asDate(year, Number(glogMonth) - 1, groups['glogDate'], groups['glogTime'], change);
  const of = String(at.getUTCMonth() + 1).padStart(glogMonth?.length ?? 2, '0');
  return `${groups['level']}${of}${String(at.getUTCDate()).padStart(2, '0')} ${clockOf(at)}`;
}

function asDate(
  year: number,
  monthAt: number,
  date: string | undefined,
  time: string | undefined,
  change: (stamp: Stamp) => NewStamp,
): Date {
  const [hours, minutes, seconds] = (time ?? '').split(':').map(Number);
  const millis = Date.UTC(year, monthAt, Number(date), hours, minutes, seconds);
  return new Date(change({ millis, zoned: false }).millis);
}

const dayOf = (at: Date): string => `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)}`;
const clockOf = (at: Date): string => at.toISOString().slice(11, 19);
