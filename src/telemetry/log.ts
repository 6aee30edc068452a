import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Log, LogFields } from '../core/ports.ts';

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Standard error unless given: standard output is for data. */
  readonly stream?: DestinationStream;
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
  return logOn(logger);
}

function logOn(logger: Logger): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields: LogFields) => logOn(logger.child(fields)),
  };
}
