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
  const isOn = (level: Level): boolean => logger.isLevelEnabled(level);
  return logOn(isOn, () => logger, options.following ?? (() => ({})), new Set());
}

type Level = LogOptions['level'];

/**
 * `bound`: names of the fields that stand in every line already; none is written twice. A request has a log of its own,
 * which is made when it first has something to say.
 */
function logOn(
  isOn: (level: Level) => boolean,
  loggerOf: () => Logger,
  following: () => LogFields,
  bound: ReadonlySet<string>,
): Log {
  const say = (level: Level, fields: LogFields, message: string): void => {
    if (!isOn(level)) return;
    const followed = Object.entries(following()).filter(([name]) => !bound.has(name));
    loggerOf()[level]({ ...Object.fromEntries(followed), ...fields }, message);
  };
  return {
    debug: (fields, message) => say('debug', fields, message),
    info: (fields, message) => say('info', fields, message),
    warn: (fields, message) => say('warn', fields, message),
    error: (fields, message) => say('error', fields, message),
    child(fields) {
      let own: Logger | undefined;
      const ownLogger = (): Logger => {
        own ??= loggerOf().child(fields);
        return own;
      };
      return logOn(isOn, ownLogger, following, new Set([...bound, ...Object.keys(fields)]));
    },
  };
}
