import type { Log, LogFields } from '../../core/ports.ts';
import type { FromThread, LogLevel } from './thread-messages.ts';

/** The log a module is handed: what it writes goes to the main thread. Members that are no plain values are left out. */
export function threadLog(say: (message: FromThread) => void, call: number | null, bound: LogFields = {}): Log {
  const at =
    (level: LogLevel) =>
    (fields: unknown, message: unknown): void =>
      say({ kind: 'log', call, level, fields: { ...bound, ...plainFields(fields) }, message: String(message) });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: fields => threadLog(say, call, { ...bound, ...plainFields(fields) }),
  };
}

function plainFields(fields: unknown): LogFields {
  if (typeof fields !== 'object' || fields === null) return {};
  const entries = Object.entries(fields).filter(([, value]) => isPlainValue(value));
  return Object.fromEntries(entries) as LogFields;
}

function isPlainValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(item => typeof item === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
