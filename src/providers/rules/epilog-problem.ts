import type { SourceCoverage } from '../../core/coverage.ts';
import type { Problem } from '../../core/outcome.ts';

const readable: ReadonlySet<string> = new Set(['complete', 'silent', 'truncated']);

/** A slow answer without any epilog health log to read is the fast one again, and says so. */
export function epilogProblem(coverage: readonly SourceCoverage[]): Problem | null {
  const health = coverage.filter(entry => entry.origin === 'health');
  if (health.some(entry => entry.groups.some(group => readable.has(group.status)))) return null;
  return {
    type: 'insufficient_telemetry',
    message: 'no epilog health-check log could be read in the window given',
  };
}
