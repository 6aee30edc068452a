import type { Log, Source } from '../core/ports.ts';

/** Where it broke, without the message: messages of parsers quote what they could not read. */
export function logBug(log: Log, source: Source, step: string, error: unknown): void {
  const at = error instanceof Error ? (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line)) : [];
  log.error(
    {
      source: source.name,
      step,
      error: error instanceof Error ? error.name : typeof error,
      at: at.slice(0, 8),
    },
    'an evidence source threw, which is a bug',
  );
}
