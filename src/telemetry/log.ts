import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Log, LogFields } from '../core/ports.ts';

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Standard error unless given: standard output is for data. */
  readonly stream?: DestinationStream;
  /** What every line says besides its own fields: which request it is about. */
  readonly following?: () => LogFields;
}

/** Fields that must never be written, whatever a careless caller puts in them: secrets, and who asked. */
const withheld = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'api_key',
  'apiKey',
  'user_id',
  'userId',
] as const;

/** One JSON object a line: `level` as a word, `time` in UTC, the fields, `msg`. */
export function createLog(options: LogOptions): Log {
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: {
        paths: withheld.flatMap(field => [field, `*.${field}`]),
        censor: '[withheld]',
      },
    },
    options.stream ?? destination({ dest: 2, sync: true }),
  );
  return logOn(logger, options.following ?? (() => ({})), new Set());
}

/** `bound`: names of the fields that stand in every line already; none is written twice. */
function logOn(logger: Logger, following: () => LogFields, bound: ReadonlySet<string>): Log {
  const all = (fields: LogFields): LogFields => {
    const followed = Object.entries(following()).filter(([name]) => !bound.has(name));
    return { ...Object.fromEntries(followed), ...fields };
  };
  return {
    debug: (fields, message) => logger.debug(all(fields), message),
    info: (fields, message) => logger.info(all(fields), message),
    warn: (fields, message) => logger.warn(all(fields), message),
    error: (fields, message) => logger.error(all(fields), message),
    child: (fields: LogFields) =>
      logOn(logger.child(fields), following, new Set([...bound, ...Object.keys(fields)])),
  };
}
