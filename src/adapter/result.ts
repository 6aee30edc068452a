import type { Outcome } from '../core/outcome.ts';

/** What became of a request in one word: the type of the error, `attributed` or `nothing_found`. */
export function resultOf({ problem, findings }: Outcome): string {
  return problem?.type ?? (findings.length > 0 ? 'attributed' : 'nothing_found');
}
