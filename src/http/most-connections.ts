import { readFileSync } from 'node:fs';

const unlimited = 1_000_000;

/** How many connections a listener may hold that gets this share of the files that the process may open: where callers take every one, no log can be opened. */
export function mostConnections(share: number, limits: string = readLimits()): number {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  const files = soft === undefined || soft === 'unlimited' ? unlimited : Number(soft);
  return Math.max(16, Math.floor(files * share));
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
