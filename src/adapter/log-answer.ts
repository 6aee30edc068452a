import type { AttributionRequest } from '../contract/index.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Log } from '../core/ports.ts';
import { resultOf } from './result.ts';

const knownSchema = '0.1.0';
const longestName = 128;

/** One line an answer. It does not carry nodes, evidence or who asked. */
export function logAnswer(
  log: Log,
  request: AttributionRequest,
  outcome: Outcome,
  sessionId: string | null,
  elapsedMs: number,
): void {
  const { phase } = request;
  const result = resultOf(outcome);
  if (request.schemaVersion !== knownSchema) {
    log.warn(
      { schema_version: request.schemaVersion.slice(0, longestName) },
      'request of another schema version',
    );
  }
  log.info(
    {
      phase,
      workload_id: request.workloadId.slice(0, longestName),
      result,
      findings: outcome.findings.length,
      coverage: coverageWords(outcome.coverage),
      session_saved: sessionId !== null,
      elapsed_ms: Math.round(elapsedMs),
    },
    'attribution answered',
  );
}

const mostSources = 40;

/** `logs kernel: complete 62, silent 2`, a source and origin each: counts, and no names of nodes. */
function coverageWords(coverage: Outcome['coverage']): readonly string[] {
  return coverage.slice(0, mostSources).map(({ source, origin, groups }) => {
    const counts = new Map<string, number>();
    for (const { status, count } of groups) counts.set(status, (counts.get(status) ?? 0) + count);
    const words = [...counts].map(([status, count]) => (count === 0 ? status : `${status} ${count}`));
    return `${source} ${origin}: ${words.join(', ')}`;
  });
}

/** Where the provider failed, without its message: that may quote what was read. The message is there at debug. */
export function logFailure(log: Log, redact: (text: string) => string, error: unknown): void {
  const isError = error instanceof Error;
  const frames = isError ? (error.stack ?? '').split('\n').filter(line => line.startsWith('    at ')) : [];
  log.error(
    { error: isError ? error.name : typeof error, at: frames.slice(0, 8).map(line => line.trim()) },
    'provider failed',
  );
  if (isError)
    log.debug({ message: redact(error.message.slice(0, 10_000)).slice(0, 500) }, 'provider failed with');
}
