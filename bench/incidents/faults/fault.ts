import type { Gpu, Machine } from '../cluster.ts';
import type { Stage } from '../stage.ts';
import type { Felt } from '../victims.ts';

/** Where a fault sits. */
export interface Spot {
  readonly stage: Stage;
  readonly machine: Machine;
  readonly gpu: Gpu;
  /** The rank that runs there. */
  readonly rank: number;
  readonly at: number;
}

/** A fault of one node: what it leaves on the node, and how the job feels it. */
export interface NodeFault {
  readonly family: string;
  readonly categories: readonly string[];
  play(spot: Spot): Felt;
  /** What else proves it, beside the node's kernel log. Empty: nothing does. */
  readonly proofs: readonly Proof[];
  /** Whether the kernel log of the node tells at all. */
  readonly inKernelLog: boolean;
  /** It shows before the first step. */
  readonly atStart?: boolean;
}

/** Evidence of a node's fault outside its kernel log. `endAt` is when the job was over. */
export interface Proof {
  /** Only the epilog saw it. */
  readonly late: boolean;
  /** The scheduler ends the job for it, so long after the fault. */
  endsJobAfter?(spot: Spot): number;
  leave(spot: Spot, endAt: number): void;
}

/** `Xid` lines with the driver's prefix; some drivers tell no process at all. */
export function xid(
  spot: Spot,
  at: number,
  code: number,
  text: string,
  process: 'own' | 'unknown' = 'own',
): void {
  const { stage, machine, gpu, rank } = spot;
  const unknown = stage.job.quietDriver ? '' : `pid='<unknown>', name=<unknown>, `;
  const who = process === 'own' ? `pid=${stage.pid(rank)}, name=python3, ` : unknown;
  stage.kernel(machine, at, `NVRM: Xid (PCI:${gpu.pci}): ${code}, ${who}${text}`);
}
