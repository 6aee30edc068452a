import type { Log, LogFields } from '../../src/core/ports.ts';

interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/** A log that only remembers, for tests to look into. */
export interface RememberedLog extends Log {
  readonly lines: readonly LogLine[];
}

export function rememberedLog(): RememberedLog {
  const lines: LogLine[] = [];
  const at = (bound: LogFields): Log => {
    const write =
      (level: LogLine['level']) =>
      (fields: LogFields, message: string): void => {
        lines.push({ level, fields: { ...bound, ...fields }, message });
      };
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: fields => at({ ...bound, ...fields }),
    };
  };
  return { ...at({}), lines };
}
