import type { Log, LogFields } from '../../core/ports.ts';
import type { BoundedSenders } from './bounded-senders.ts';
import type { LogLevel } from './thread-messages.ts';

const longestText = 4_096;
const mostFields = 32;

/** The log a module is handed: what it writes goes to the main thread. Members that are no plain values are left out, long texts cut. */
export function threadLog(
  senders: Pick<BoundedSenders, 'log'>,
  call: number | null,
  bound: LogFields = {},
): Log {
  const at =
    (level: LogLevel) =>
    (fields: unknown, message: unknown): void =>
      senders.log({
        kind: 'log',
        call,
        level,
        fields: { ...bound, ...plainFields(fields) },
        message: String(message).slice(0, longestText),
      });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: fields => threadLog(senders, call, { ...bound, ...plainFields(fields) }),
  };
}

function plainFields(fields: unknown): LogFields {
  if (typeof fields !== 'object' || fields === null) return {};
  const entries = Object.entries(fields).filter(([, value]) => isPlainValue(value));
  return Object.fromEntries(
    entries.slice(0, mostFields).map(([name, value]) => [name.slice(0, longestText), cutValue(value)]),
  ) as LogFields;
}

function cutValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, mostFields).map(cutValue);
  return typeof value === 'string' ? value.slice(0, longestText) : value;
}

function isPlainValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(item => typeof item === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
