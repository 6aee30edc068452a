import { second } from '../stage.ts';
import { type NodeFault, type Spot, xid } from './fault.ts';
import { counterOf, eccTraceback, gaugeOf, healthCheck, nodeDown, ownEccError } from './proofs.ts';

/** Uncorrectable memory error of a GPU, with its train of codes. */
export const gpuMemory: NodeFault = {
  family: 'gpu-memory',
  categories: ['accelerator_memory'],
  inKernelLog: true,
  play(spot) {
    const { random } = spot.stage;
    random.pick(trains)(spot);
    if (random.chance(0.5)) xid(spot, spot.at + 900, 45, 'Ch 00000008');
    if (random.chance(0.4)) xid(spot, spot.at + 1100, 43, 'Ch 00000008');
    if (random.chance(0.3))
      xid(
        spot,
        spot.at + 1500,
        154,
        'GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)',
        'unknown',
      );
    return {
      how: 'dies',
      at: spot.at + random.between(0.2, 4) * second,
      ranks: [spot.rank],
      says: () => eccTraceback(spot),
    };
  },
  proofs: [ownEccError, gaugeOf(94), gaugeOf(48), counterOf('DCGM_FI_DEV_ECC_DBE_VOL_TOTAL', 2, { gpu: '3' })],
};

const contained = (spot: Spot): void =>
  xid(
    spot,
    spot.at + 400,
    94,
    spot.stage.random.pick([
      'Contained: CE User Channel (0x9). RST: No, D-RST: No',
      'Contained: SM (0x1). RST: No, D-RST: No',
      'Contained ECC error.',
    ]),
  );
const uncontained = (spot: Spot): void =>
  xid(
    spot,
    spot.at + 400,
    95,
    spot.stage.random.pick([
      'Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No',
      'Uncontained: FBHUB. RST: Yes, D-RST: No',
      'Uncontained ECC error.',
    ]),
    'unknown',
  );
const doubleBit = (spot: Spot): void =>
  xid(
    spot,
    spot.at,
    48,
    spot.stage.random.pick([
      'An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 6, subpartition 0.',
      'DBE (double bit error) ECC error',
    ]),
    'unknown',
  );
const remap = (spot: Spot, code: 63 | 64): void =>
  xid(
    spot,
    spot.at + 200,
    code,
    code === 63
      ? `Row Remapper: New row (0x${spot.stage.random.hex(16)}) marked for remapping, reset gpu to activate.`
      : `Row Remapper: Failed to remap row 0x${spot.stage.random.hex(16)}`,
    'unknown',
  );

type Word = (spot: Spot) => void;
const train =
  (...words: readonly Word[]): Word =>
  spot => {
    for (const word of words) word(spot);
  };
const remapped: Word = spot => remap(spot, 63);
const notRemapped: Word = spot => remap(spot, 64);
const dramDetail: Word = spot =>
  xid(spot, spot.at - 100, 171, 'Uncorrectable DRAM error: FBPA 3, subpartition 1', 'unknown');
const unrecovered: Word = spot => xid(spot, spot.at, 140, 'Unrecovered ECC error, DRAM: 1, SRAM: 0', 'unknown');

const trains: readonly Word[] = [
  train(doubleBit, remapped, contained),
  train(doubleBit, remapped, uncontained),
  train(doubleBit, notRemapped, uncontained),
  train(dramDetail, doubleBit, contained),
  contained,
  uncontained,
  doubleBit,
  unrecovered,
];

/** Memory of the host that cannot be corrected. */
export const hostMemory: NodeFault = {
  family: 'host-memory',
  categories: ['host_memory'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    random.pick(hostForms)(spot);
    if (random.chance(0.4)) {
      stage.kernel(
        machine,
        at + 300,
        `Memory failure: 0x${random.hex(7)}: Killing python3:${stage.pid(spot.rank)} due to hardware memory corruption`,
      );
      stage.kernel(
        machine,
        at + 301,
        `Memory failure: 0x${random.hex(7)}: recovery action for dirty LRU page: Recovered`,
      );
    }
    return {
      how: 'dies',
      at: at + random.between(0.3, 2) * second,
      ranks: [spot.rank],
      says: () =>
        'Fatal Python error: Bus error\n\nCurrent thread 0x00007f2b4d3fe640 (most recent call first):',
    };
  },
  proofs: [
    counterOf('node_edac_uncorrectable_errors_total', 1, { controller: '1' }),
    healthCheck('NHC: check_hw_mcelog: MCE log contains uncorrected memory errors'),
  ],
};

const hostForms: readonly ((spot: Spot) => void)[] = [
  ({ stage, machine, at }) =>
    stage.kernel(
      machine,
      at,
      `EDAC MC${stage.random.int(0, 3)}: 1 UE memory read error on CPU_SrcID#0_MC#1_Chan#0_DIMM#1 (channel:0 slot:1 page:0x${stage.random.hex(6)} offset:0x${stage.random.hex(3)} grain:32)`,
    ),
  ({ stage, machine, at }) => {
    stage.kernel(
      machine,
      at,
      `mce: [Hardware Error]: CPU ${stage.random.int(0, 200)}: Machine Check Exception: 5 Bank 7: be00000000800400`,
    );
    stage.kernel(machine, at + 1, `mce: [Hardware Error]: TSC 0 ADDR ${stage.random.hex(10)} MISC 86`);
    stage.kernel(machine, at + 2, 'mce: Uncorrected hardware memory error in user-access at 3f2a7c1000');
  },
  ({ stage, machine, at }) => {
    stage.kernel(machine, at, '{1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 1');
    stage.kernel(machine, at + 1, '{1}[Hardware Error]: event severity: recoverable');
    stage.kernel(machine, at + 2, '{1}[Hardware Error]:  Error 0, type: recoverable');
    stage.kernel(machine, at + 3, '{1}[Hardware Error]:   section_type: memory error');
  },
  ({ stage, machine, at, rank }) =>
    stage.kernel(
      machine,
      at,
      `MCE 0x${stage.random.hex(7)}: Sending SIGBUS to python3:${stage.pid(rank)} due to hardware memory corruption`,
    ),
];

/** The kernel of the node dies of it, and its log ends. */
export const kernelPanic: NodeFault = {
  family: 'kernel-panic',
  categories: ['host_kernel', 'node_lost', 'host_memory'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    random.pick(panics)(spot);
    stage.silentFrom.set(machine, at + 400);
    return { how: 'gone', at, ranks: machine.gpus.map(gpu => machine.firstRank + gpu.index) };
  },
  proofs: [nodeDown],
};

const panics: readonly ((spot: Spot) => void)[] = [
  ({ stage, machine, at }) => {
    stage.kernel(machine, at, 'BUG: unable to handle page fault for address: ffff9f2a80000000');
    stage.kernel(machine, at + 1, '#PF: supervisor read access in kernel mode');
    stage.kernel(machine, at + 200, 'Kernel panic - not syncing: Fatal exception');
  },
  ({ stage, machine, at }) => stage.kernel(machine, at, 'Kernel panic - not syncing: Fatal machine check'),
  ({ stage, machine, at }) => {
    stage.kernel(machine, at, 'BUG: kernel NULL pointer dereference, address: 0000000000000018');
    stage.kernel(machine, at + 150, 'Kernel panic - not syncing: Fatal exception in interrupt');
  },
  ({ stage, machine, at }) => stage.kernel(machine, at, 'Kernel panic - not syncing: NMI: Not continuing'),
];

/** A processor hangs with interrupts off. */
export const hardLockup: NodeFault = {
  family: 'hard-lockup',
  categories: ['host_kernel', 'node_lost'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    const cpu = random.int(0, 223);
    if (random.chance(0.6))
      stage.kernel(machine, at, `NMI watchdog: Watchdog detected hard LOCKUP on cpu ${cpu}`);
    else {
      stage.kernel(machine, at, `rcu: INFO: rcu_sched self-detected stall on CPU`);
      stage.kernel(
        machine,
        at + 1,
        `rcu: \t${cpu}-....: (14999 ticks this GP) idle=a3e/1/0x4000000000000000 softirq=${random.int(1e6, 9e6)}/${random.int(1e6, 9e6)} fqs=7399`,
      );
      stage.kernel(machine, at + 30_000, `NMI watchdog: Watchdog detected hard LOCKUP on cpu ${cpu}`);
    }
    if (random.chance(0.5)) stage.silentFrom.set(machine, at + 40_000);
    return { how: 'stalls', at, ranks: machine.gpus.map(gpu => machine.firstRank + gpu.index) };
  },
  proofs: [nodeDown],
};
