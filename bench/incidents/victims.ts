import type { Machine } from './cluster.ts';
import { minute, others, ranksOf, type Stage, second } from './stage.ts';
import { glogStamp } from './text/stamps.ts';

/** How the job felt what happened: ranks died with a word, ranks stand still, or their whole node is gone. */
export interface Felt {
  readonly how: 'dies' | 'stalls' | 'gone';
  readonly at: number;
  readonly ranks: readonly number[];
  /** What a dying rank prints. */
  readonly says?: (rank: number) => string;
}

/** At most so many ranks tell of a time-out, whatever the size of the job. */
const mostTold = 400;

/** What the other ranks say, and when the job is over. */
export function sufferFrom(stage: Stage, felt: Felt, endedAt: number | null = null): number {
  const { random } = stage;
  if (felt.how === 'dies') return endQuickly(stage, felt);
  const lost = felt.how === 'gone' ? stage.place(felt.ranks[0] ?? 0).machine : null;
  if (lost !== null && random.chance(0.6)) {
    printTransportErrors(stage, lost, felt.at + random.between(9, 40) * second);
  }
  if (endedAt !== null) return endedAt;
  if (lost !== null && random.chance(0.5)) return felt.at + random.between(1.5, 6) * minute;
  return timeOut(stage, felt.at, felt.ranks);
}

function speakers(stage: Stage, silent: readonly number[]): readonly number[] {
  const mute = new Set(silent);
  const all = Array.from({ length: stage.job.world }, (_, rank) => rank).filter(rank => !mute.has(rank));
  return stage.random.shuffled(all).slice(0, mostTold);
}

/** Every rank that waits gives up when the limit is over, within a second of each other and in no order. */
export function timeOut(stage: Stage, since: number, silent: readonly number[]): number {
  const share = stage.random.chance(0.7) ? 1 : stage.random.between(0.3, 0.9);
  const heard = speakers(stage, silent).filter(() => stage.random.chance(share));
  return giveUp(stage, since, heard);
}

/** These ranks give up; returns when the job was over. */
export function giveUp(stage: Stage, since: number, heard: readonly number[]): number {
  const { random, job } = stage;
  const form = random.pick(watchdogForms);
  const work: Work = {
    seq: random.int(900, 900_000),
    op: random.pick(['ALLREDUCE', '_ALLGATHER_BASE', '_REDUCE_SCATTER_BASE', 'ALLGATHER']),
    size: random.int(1000, 90_000_000),
    limitMs: job.limitMs,
  };
  const started = since + random.between(0.1, 8) * second;
  for (const rank of heard) {
    const ranMs = job.limitMs + random.int(1, 990);
    form(stage, rank, started + ranMs, work, ranMs);
  }
  return started + job.limitMs + random.between(3, 25) * second;
}

interface Work {
  readonly seq: number;
  readonly op: string;
  readonly size: number;
  readonly limitMs: number;
}
type WatchdogForm = (stage: Stage, rank: number, at: number, work: Work, ranMs: number) => void;

const caught = ({ seq, op, size, limitMs }: Work, ranMs: number): string =>
  `Watchdog caught collective operation timeout: WorkNCCL(SeqNum=${seq}, OpType=${op}, NumelIn=${size}, NumelOut=${size}, Timeout(ms)=${limitMs}) ran for ${ranMs} milliseconds before timing out.`;

const watchdogForms: readonly WatchdogForm[] = [
  (stage, rank, at, work, ranMs) => {
    stage.print(rank, at, `[E ProcessGroupNCCL.cpp:475] [Rank ${rank}] ${caught(work, ranMs)}`);
    stage.print(
      rank,
      at + 40,
      '[E ProcessGroupNCCL.cpp:489] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data.',
    );
  },
  (stage, rank, at, work, ranMs) => {
    stage.print(
      rank,
      at,
      `[rank${rank}]:[E${glogStamp(at, true)} ProcessGroupNCCL.cpp:607] [Rank ${rank}] ${caught(work, ranMs)}`,
    );
    stage.print(
      rank,
      at + 70,
      `[rank${rank}]:[E${glogStamp(at + 70, true)} ProcessGroupNCCL.cpp:621] [Rank ${rank}] To avoid data inconsistency, we are taking the entire process down.`,
    );
  },
  (stage, rank, at, work, ranMs) => {
    const group = `[PG ID 0 PG GUID 0(default_pg) Rank ${rank}]`;
    stage.print(
      rank,
      at,
      `[rank${rank}]:[E${glogStamp(at, true)} ProcessGroupNCCL.cpp:632] ${group} ${caught(work, ranMs)}`,
    );
    stage.print(
      rank,
      at + 1,
      `[rank${rank}]:[E${glogStamp(at + 1, true)} ProcessGroupNCCL.cpp:2271] ${group} failure detected by watchdog at work sequence id: ${work.seq} PG status: last enqueued work: ${work.seq}, last completed work: ${work.seq - 1}`,
    );
    stage.print(
      rank,
      at + 80,
      `[rank${rank}]:[E${glogStamp(at + 80, true)} ProcessGroupNCCL.cpp:684] ${group} To avoid data inconsistency, we are taking the entire process down.`,
    );
  },
];

/** A dying rank says why; its neighbours lose their connection; the launcher ends the rest. */
function endQuickly(stage: Stage, felt: Felt): number {
  const { random } = stage;
  for (const rank of felt.ranks) {
    if (felt.says !== undefined) stage.print(rank, felt.at + random.next() * 300, felt.says(rank));
  }
  const first = stage.place(felt.ranks[0] ?? 0).machine;
  const heard = speakers(stage, felt.ranks);
  const losing = heard.slice(0, Math.min(heard.length, random.int(1, 12)));
  for (const rank of losing) printRemoteError(stage, rank, first, felt.at + random.between(0.2, 6) * second);
  return felt.at + random.between(4, 40) * second;
}

function printRemoteError(stage: Stage, rank: number, peer: Machine, at: number): void {
  const { random } = stage;
  const address = `${peer.address}<${random.int(30_000, 60_000)}>`;
  stage.nccl(
    rank,
    at,
    random.pick([
      `misc/socket.cc:58 NCCL WARN Call to recv from ${address} failed : Connection reset by peer`,
      `misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer ${peer.name}<${random.int(30_000, 60_000)}>`,
      `misc/socket.cc:67 NCCL WARN Call to send to ${address} failed : Broken pipe`,
    ]),
  );
  stage.print(
    rank,
    at + 20,
    'torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:2006, remote process exited or there was a network error, NCCL version 2.21.5',
  );
  stage.print(
    rank,
    at + 21,
    'ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.',
  );
}

/** What the transport says of a peer that no longer answers; it never tells which end is at fault. */
export function printTransportErrors(stage: Stage, peer: Machine, at: number): void {
  const { random } = stage;
  const near = random.some(others(stage, peer), random.int(1, 3));
  for (const machine of near) {
    const rank = random.pick(ranksOf(machine));
    const nic = random.pick(machine.nics);
    stage.nccl(
      rank,
      at + random.next() * 3 * second,
      random.pick([
        `transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer ${peer.address}<${random.int(30_000, 60_000)}> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid fe80::${random.hex(4)} remoteGids fe80::${random.hex(4)} hca ${nic.device}`,
        `transport/net_ib.cc:1208 NCCL WARN NET/IB : Got completion from peer ${peer.address}<${random.int(30_000, 60_000)}> with error 12, opcode 129, len 0, vendor err 129 (Recv)`,
      ]),
    );
  }
}
