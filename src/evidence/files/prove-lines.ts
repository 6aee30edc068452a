import type { JudgedSpan } from './judged-span.ts';
import type { LinesRead } from './line-batches.ts';
import type { Reach } from './sampled-lines.ts';
import { type Proof, proofOf } from './tally.ts';

/**
 * What a log that was read proves. Complete needs its end, a line that its own node wrote, and lines that reach into
 * the time looked at: blank lines, or other hosts' lines, say nothing of a node.
 */
export function proofOfLines(read: LinesRead, span: JudgedSpan): Proof {
  const proof = proofOf(read.ending, read.lines);
  if (proof.status !== 'complete') return proof;
  if (!read.written) return { status: 'silent', reason: 'its lines are blank' };
  if (read.voice === 'others') return { status: 'unknown', reason: 'its lines name other hosts only' };
  if (read.voice === 'nobody') {
    return { status: 'unknown', reason: 'no line of it looks like one of a kernel log' };
  }
  return outsideOf(read.reach, span) ?? proof;
}

/** A log that ended before the time looked at, or began after it, was read and yet proves nothing about it. */
export function outsideOf({ first, last }: Reach, { from, to, before, after }: JudgedSpan): Proof | null {
  if (from !== null && last?.nanos != null && last.nanos + last.plusMinus < from) {
    return { status: 'silent', reason: before };
  }
  if (to !== null && first?.nanos != null && first.nanos - first.plusMinus > to) {
    return { status: 'silent', reason: after };
  }
  return null;
}
