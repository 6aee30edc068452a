import { membersOf, wordOf } from '../json-value.ts';
import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { readIso } from '../time-stamps.ts';
import { journald, oneLine, oneWord, withMicros } from './journald.ts';

/**
 * Lines of syslog as shippers (fluent-bit, filebeat, rsyslog with a JSON template) write them to files: an object a line,
 * or a list with an entry a line. Who wrote the entry must be told as syslog tells it: programs log objects, too.
 */
export const shippedJson: LineFormat = {
  name: 'shipped-json',
  origin: 'kernel',
  fits: line => decodeShippedJson(line) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    const decoded = decodeShippedJson(line);
    if (decoded === null) return journald.parse(line, dating);
    const parsed = journald.parse(decoded, dating);
    return parsed === null ? null : { ...parsed, messageAt: 0 };
  },
};

const begins = /^[[,]? {0,8}\{/;
const around = /^[[,]? {0,8}|[\],]{1,2} {0,8}\r?$/g;
const messageKeys = ['message', 'msg', 'MESSAGE', 'log'];
const hostKeys = ['host', 'hostname', 'HOST', 'HOSTNAME', 'fromhost', '_HOSTNAME'];
const writerKeys = ['ident', 'SYSLOG_IDENTIFIER', 'programname', 'appname', 'app-name', 'app_name', 'PROGRAM'];
const timeKeys = ['@timestamp', 'date', 'timestamp', 'time', 'timereported', 'timegenerated', 'ISODATE'];

/**
 * `2026-11-30T12:03:41.123456Z node-01 kernel: message` of one such line, `-` for a stamp that is not known; null where
 * it is none. Both host and writer must be there.
 */
export function decodeShippedJson(line: string): string | null {
  if (!begins.test(line)) return null;
  const fields = parse(line.replace(around, ''));
  const message = textAt(fields, messageKeys);
  const host = oneWord(textAt(fields, hostKeys) ?? textAt(membersOf(fields['host']), ['name', 'hostname']));
  const program = writerOf(fields);
  if (message === null || host === null || program === null) return null;
  return `${stampOf(fields) ?? '-'} ${host} ${program}: ${oneLine(message)}`;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** `process.name` is what loggers of programs write as well: it tells of the kernel alone, as facilities do. */
function writerOf(fields: Readonly<Record<string, unknown>>): string | null {
  const writer = oneWord(textAt(fields, writerKeys)?.replace(/:$/, ''));
  if (writer !== null) return writer;
  const process = textAt(membersOf(fields['process']), ['name']);
  const facility = textAt(fields, ['facility', 'syslogfacility-text']);
  return process === 'kernel' || facility === 'kern' ? 'kernel' : null;
}

function textAt(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** Stamps of text with their offset, numbers as seconds since 1970. */
function stampOf(fields: Readonly<Record<string, unknown>>): string | null {
  for (const key of timeKeys) {
    const written = wordOf(fields[key]);
    if (written === null) continue;
    if (/^\d{10}(?:\.\d{1,9})?$/.test(written)) {
      const [seconds = '0', fraction = ''] = written.split('.');
      return withMicros(BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')));
    }
    const read = readIso(written, 0);
    const whole = read?.end === written.length && read.stamp.offset !== null && !written.includes(' ');
    return whole && written[10] === 'T' ? written : null;
  }
  return null;
}
