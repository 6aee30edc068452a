import type { Nanos } from '../../core/time.ts';
import { formatNanos } from '../../core/time.ts';
import type { LineDating, LineFormat, ParsedLine } from '../line.ts';
import { readHost } from '../line-prefixes.ts';
import { afterStamp } from './syslog.ts';
import { syslogIso } from './syslog-iso.ts';

/** One journal entry, decoded. `text` is the line that everything downstream sees, matches, and quotes. */
export interface JournalEntry {
  /** `2026-11-30T12:03:41.123456Z node-01 kernel: message`; `-` for a stamp or host that is not known. */
  readonly text: string;
  readonly nanos: Nanos | null;
  readonly host: string | null;
  readonly program: string;
  readonly pid: number | null;
  readonly bootId: string | null;
  /** Nanoseconds since boot. */
  readonly monotonic: Nanos | null;
  /** `kernel`, `syslog`, `stdout`, ...: set by the journal itself, not by who wrote the entry. */
  readonly transport: string | null;
}

/**
 * Decodes one line of `journalctl -o json`; null where it is no journal entry. Messages that are no UTF-8 come as
 * arrays of bytes, and too long ones as null. Only the kernel's own transport is written as `kernel`: any process may
 * call itself so.
 */
export function decodeJournaldJson(line: string): JournalEntry | null {
  const fields = parseObject(line);
  if (fields === null || !('__REALTIME_TIMESTAMP' in fields || 'MESSAGE' in fields)) return null;
  const transport = text(fields['_TRANSPORT']);
  const nanos = micros(fields['__REALTIME_TIMESTAMP']);
  const host = oneWord(fields['_HOSTNAME']);
  const program = programOf(fields, transport);
  const pid = micros(fields['_PID'] ?? fields['SYSLOG_PID']);
  const written = pid === null ? program : `${program}[${pid / 1000n}]`;
  const stamp = nanos === null ? '-' : withMicros(nanos);
  return {
    text: `${stamp} ${host ?? '-'} ${written}: ${oneLine(text(fields['MESSAGE']) ?? '')}`,
    nanos,
    host,
    program,
    pid: pid === null ? null : Number(pid / 1000n),
    bootId: oneWord(fields['_BOOT_ID']),
    monotonic: micros(fields['__MONOTONIC_TIMESTAMP']),
    transport,
  };
}

/** Journal entries, as exported in JSON or already decoded. */
export const journald: LineFormat = {
  name: 'journald',
  origin: 'kernel',
  fits: line => line.startsWith('{') && decodeJournaldJson(line) !== null,
  parse(line: string, dating: LineDating): ParsedLine | null {
    if (!line.startsWith('{')) return syslogIso.parse(line, dating) ?? parseUndated(line);
    const decoded = decodeJournaldJson(line);
    const parsed = decoded === null ? null : journald.parse(decoded.text, dating);
    return parsed === null ? null : { ...parsed, messageAt: 0 };
  },
};

function parseUndated(line: string): ParsedLine | null {
  const named = line.startsWith('- ') ? readHost(line, 2) : null;
  return named === null ? null : afterStamp(line, named.host, named.end, () => null);
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** A binary field comes as an array of bytes, one that was set more than once as an array of its values. */
function text(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (isBytes(value)) return Buffer.from(value).toString('utf8');
  if (!Array.isArray(value)) return null;
  const first: unknown = value[0];
  if (typeof first === 'string') return first;
  return isBytes(first) ? Buffer.from(first).toString('utf8') : null;
}

function isBytes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'number');
}

/** A text that may stand for a host or a program; null for what is none. */
export function oneWord(value: unknown): string | null {
  const word = text(value);
  return word !== null && /^[^\s:[\]{}"]{1,255}$/.test(word) ? word : null;
}

function programOf(fields: Readonly<Record<string, unknown>>, transport: string | null): string {
  if (transport === 'kernel') return 'kernel';
  const name = oneWord(fields['SYSLOG_IDENTIFIER']) ?? oneWord(fields['_COMM']) ?? 'unknown';
  return name.toLowerCase() === 'kernel' ? 'not-the-kernel' : name;
}

/** Whole numbers come as strings; times among them count microseconds. */
function micros(value: unknown): Nanos | null {
  const digits = typeof value === 'number' ? String(value) : text(value);
  return digits !== null && /^\d{1,17}$/.test(digits) ? BigInt(digits) * 1000n : null;
}

/** As the stamp of a decoded entry. */
export function withMicros(nanos: Nanos): string {
  return formatNanos(nanos).replace(/(:\d\d)Z$/, '$1.000000Z');
}

/** One entry is one line: ends of line and other control characters inside it become blanks. */
export function oneLine(message: string): string {
  return message.trimEnd().replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
