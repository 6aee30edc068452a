/** How the failure was noticed: a job that died, one that stopped moving, or one that is slow. */
export type DetectionFamily = 'crash' | 'hang' | 'straggler';

const hang = new Set([
  'hang',
  'hangs',
  'hung',
  'hanging',
  'stall',
  'stalled',
  'stuck',
  'freeze',
  'frozen',
  'deadlock',
]);
const straggler = new Set([
  'straggler',
  'stragglers',
  'straggling',
  'slow',
  'slowdown',
  'throughput',
  'degraded',
]);

/**
 * The family of a `detection_signal`, any string: by whole words, without case, since one word may hide in another.
 * What is neither a hang nor a straggler is a crash.
 */
export function detectionFamily(signal: string): DetectionFamily {
  const words = signal.toLowerCase().split(/[^a-z]+/);
  if (words.some(word => straggler.has(word))) return 'straggler';
  return words.some(word => hang.has(word)) ? 'hang' : 'crash';
}
