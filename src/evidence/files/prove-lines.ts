import type { Origin } from '../../core/batch.ts';
import type { JudgedSpan } from './judged-span.ts';
import type { LinesRead } from './line-batches.ts';
import { complaintOnly, withoutKernel } from './log-shape.ts';
import type { Reach } from './sampled-lines.ts';
import { type Proof, proofOf } from './tally.ts';

/** A log that is one node's own. */
export interface OwnLog {
  readonly origin: Origin;
  /** Whether lines of it that were sampled before, in any part of it, have one of the kernel among them. */
  readonly kernel: boolean;
}

/**
 * What a log that was read proves. Complete needs its end, lines that reach into the time looked at and, where it is
 * one node's own, a line that this node wrote, or its kernel in a kernel log.
 */
export function proofOfLines(read: LinesRead, span: JudgedSpan, own: OwnLog | null): Proof {
  const proof = proofOf(read.ending, read.lines);
  if (proof.status !== 'complete') return proof;
  if (!read.written) return { status: 'silent', reason: 'its lines are blank' };
  const lacking = own === null ? null : lackOf(read, own);
  if (lacking !== null) return { status: 'unknown', reason: lacking };
  return outsideOf(read.reach, span) ?? proof;
}

function lackOf({ voice }: LinesRead, { origin, kernel }: OwnLog): string | null {
  if (voice === 'others') return 'its lines name other hosts only';
  if (origin !== 'kernel') return null;
  if (voice === 'nobody') return complaintOnly;
  return voice === 'own' && !kernel ? withoutKernel : null;
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

/** A log of which documents were lost was not read to its end, whatever its lines prove. */
export function withoutLost(proof: Proof, lost: readonly string[]): Proof {
  if (lost.length === 0 || !['complete', 'unknown', 'silent'].includes(proof.status)) return proof;
  return { status: 'truncated', reason: lost.join('; ') };
}
