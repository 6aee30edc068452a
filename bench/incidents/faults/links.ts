import type { Nic } from '../cluster.ts';
import { second } from '../stage.ts';
import { type NodeFault, type Spot, xid } from './fault.ts';
import { counterOf, epilogFinds, gaugeOf, gpuCountTooLow } from './proofs.ts';

/** A PCIe error takes the GPU behind it. */
export const pcieFatal: NodeFault = {
  family: 'pcie',
  categories: ['pcie', 'accelerator_gpu'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at, gpu } = spot;
    const { random } = stage;
    const port = `0000:${random.pick(['15', '26', '37', '97', 'b7'])}:01.0`;
    random.pick<(port: string) => void>([
      root => {
        stage.kernel(machine, at, `pcieport ${root}: AER: Uncorrected (Fatal) error received: ${root}`);
        stage.kernel(
          machine,
          at + 1,
          `pcieport ${root}: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Receiver ID)`,
        );
        stage.kernel(machine, at + 2, `pcieport ${root}:    [ 5] SDES                   (First)`);
      },
      root => {
        stage.kernel(
          machine,
          at,
          `pcieport ${root}: AER: Multiple Uncorrected (Fatal) error message received from ${gpu.pci}.0`,
        );
        stage.kernel(machine, at + 3, `nvidia ${gpu.pci}.0: AER: can't recover (no error_detected callback)`);
        stage.kernel(machine, at + 9, `pcieport ${root}: AER: device recovery failed`);
      },
      root => stage.kernel(machine, at, `pcieport ${root}: pciehp: Slot(${random.int(1, 40)}): Link Down`),
      root => {
        stage.kernel(
          machine,
          at,
          `pcieport ${root}: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Receiver ID)`,
        );
        stage.kernel(machine, at + 1, `pcieport ${root}:   [ 5] Surprise Down Error`);
      },
    ])(port);
    if (random.chance(0.75))
      xid(spot, at + random.between(20, 800), 79, 'GPU has fallen off the bus.', 'unknown');
    return { how: 'stalls', at, ranks: [spot.rank] };
  },
  proofs: [gpuCountTooLow, gaugeOf(79)],
};

/** The firmware of a network card stops answering. */
export const nicFirmware: NodeFault = {
  family: 'nic-firmware',
  categories: ['network_fabric'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    const nic = nicOf(spot);
    random.pick<() => void>([
      () => {
        stage.kernel(
          machine,
          at,
          `mlx5_core ${nic.pci}: poll_health:${random.int(170, 830)}:(pid 0): device's health compromised - reached miss count`,
        );
        stage.kernel(
          machine,
          at + 2,
          `mlx5_core ${nic.pci}: print_health_info:${random.int(360, 430)}:(pid 0): Health issue observed, firmware internal error, severity(3) ERROR:`,
        );
      },
      () =>
        stage.kernel(
          machine,
          at,
          `mlx5_core ${nic.pci}: wait_func:${random.int(960, 1160)}:(pid ${random.int(100, 9000)}): ${random.pick(['ENABLE_HCA(0x104)', 'QUERY_VPORT_COUNTER(0x770)', 'MODIFY_RQ(0x909)'])} timeout. Will cause a leak of a command resource`,
        ),
      () => {
        stage.kernel(
          machine,
          at,
          `mlx5_core ${nic.pci}: print_health_info:${random.int(360, 430)}:(pid 0): assert_var[0] 0x00000000`,
        );
        stage.kernel(
          machine,
          at + 1,
          `mlx5_core ${nic.pci}: print_health_info:${random.int(380, 440)}:(pid 0): synd 0x8: unrecoverable hardware error`,
        );
      },
    ])();
    if (random.chance(0.5)) sayAsync(spot, nic.device, 'device fatal', at + random.between(0.2, 2) * second);
    return { how: 'stalls', at, ranks: [spot.rank] };
  },
  proofs: [
    { late: false, leave: spot => sayAsync(spot, nicOf(spot).device, 'device fatal', spot.at + second) },
  ],
};

export const nicOf = ({ machine, gpu }: Spot) =>
  machine.nics[gpu.index] ?? { device: 'mlx5_0', pci: '0000:18:00.0', netdev: 'ibp24s0' };

/** Systems with predictable names call the device after its slot. */
function deviceName({ stage }: Spot, nic: Nic): string {
  return stage.random.chance(0.7) ? nic.device : nic.netdev.replace('ibp', 'rocep');
}

/** NCCL tells of an event of the rank's own card; its prefix tells the host. */
export function sayAsync({ stage, rank }: Spot, device: string, what: string, at: number): void {
  const { random } = stage;
  stage.needs.places = true;
  stage.nccl(
    rank,
    at,
    random.pick([
      `misc/ibvwrap.cc:${random.int(90, 320)} NCCL WARN NET/IB : ${device}:1 Got async event : ${what}`,
      `transport/net_ib.cc:${random.int(90, 320)} NCCL WARN NET/IB : ${device}:1 Got async error event: ${what}`,
    ]),
  );
}

/** A port goes down and stays down. */
export const linkDown: NodeFault = {
  family: 'link-down',
  categories: ['network_fabric'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    const nic = nicOf(spot);
    random.pick<() => void>([
      () => stage.kernel(machine, at, `mlx5_core ${nic.pci} ${nic.netdev}: Link down`),
      () => {
        stage.kernel(
          machine,
          at,
          `mlx5_core ${nic.pci}: Port module event[error]: module 0, Cable error, Cable unplugged`,
        );
        stage.kernel(machine, at + 30, `mlx5_core ${nic.pci} ${nic.netdev}: Link down`);
      },
      () => stage.kernel(machine, at, `mlx5_core ${nic.pci} ${deviceName(spot, nic)}: Port: 1 Link DOWN`),
      () => {
        stage.kernel(
          machine,
          at,
          `mlx5_core ${nic.pci}: Port module event[error]: module 0, Cable error, High Temperature`,
        );
        stage.kernel(machine, at + 900, `mlx5_core ${nic.pci} ${deviceName(spot, nic)}: Port: 1 Link DOWN`);
      },
    ])();
    if (random.chance(0.6)) sayAsync(spot, nic.device, 'port error', at + random.between(0, 1) * second);
    return { how: 'stalls', at, ranks: [spot.rank] };
  },
  proofs: [
    { late: false, leave: spot => sayAsync(spot, nicOf(spot).device, 'port error', spot.at) },
    counterOf('node_infiniband_link_downed_total', 1, { device: 'mlx5_2', port: '1' }),
  ],
};

/** One GPU loses a link of NVLink; its partners lose packets. */
export const nvlink: NodeFault = {
  family: 'nvlink',
  categories: ['accelerator_fabric'],
  inKernelLog: true,
  play(spot) {
    const { stage, at } = spot;
    const { random } = stage;
    const link = random.int(0, 17);
    if (random.chance(0.4)) loseLinkByParity(spot, link);
    else loseLinkOfRack(spot, link);
    return {
      how: 'dies',
      at: at + second,
      ranks: [spot.rank],
      says: () => 'RuntimeError: CUDA error: uncorrectable NVLink error detected during the execution',
    };
  },
  proofs: [
    epilogFinds(({ gpu }) => [
      `dcgmi diag: GPU ${gpu.index}: DCGM_FR_NVLINK_ERROR_CRITICAL: Detected 4 nvlink_flit_crc_error_count_total NvLink errors on GPU ${gpu.index}'s NVLink.`,
      'check dcgm-diag-r1: FAIL',
    ]),
  ],
};

/** Parity or error correction of the own side, again and again on one link; partners show sympathetic bits. */
function loseLinkByParity(spot: Spot, link: number): void {
  const { stage, machine, at } = spot;
  const { random } = stage;
  const registers = random.pick(['0x10, 0x0, 0x0', '0x20, 0x0, 0x0', '0x0, 0x0, 0x2', '0x0, 0x0, 0x40']);
  for (let count = 0; count < random.int(3, 5); count += 1) {
    xid(
      spot,
      at + count * 40,
      74,
      `NVLink: fatal error detected on link ${link}(${registers}, 0x0, 0x0, 0x0, 0x0)`,
      'unknown',
    );
  }
  const [peer] = random.some(
    machine.gpus.filter(gpu => gpu !== spot.gpu),
    1,
  );
  if (peer !== undefined && random.chance(0.5)) {
    stage.kernel(
      machine,
      at + 230,
      `NVRM: Xid (PCI:${peer.pci}): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link ${random.int(0, 17)}(0x2, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)`,
    );
  }
}

/** Reasons of the own side: bit errors, lost alignment, retransmissions that time out. */
const ownReasons = [2, 4, 10];

/** A link of NVLink 5 goes down for a reason of its own; whoever talked to it loses packets. */
function loseLinkOfRack(spot: Spot, link: number): void {
  const { stage, at } = spot;
  const { random } = stage;
  const unit = random.chance(0.5)
    ? 0x11 + random.int(0, 0x1fff) * 2 ** 7
    : 0x1c6 + random.int(0, 0x3ff) * 2 ** 10;
  const info = `0x${(random.pick(ownReasons) * 2 ** 20 + unit).toString(16).padStart(8, '0')}`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const none = '0x00000000 0x00000000 0x00000000 0x00000000 0x00000000';
  xid(spot, at, 149, `NETIR_LINK_EVT Fatal XC0 i0 Link ${two(link)} (${info} ${none})`, 'unknown');
  for (const other of random.some(stage.machines, random.int(1, 4))) {
    for (const peer of random.some(
      other.gpus.filter(gpu => gpu !== spot.gpu),
      random.int(1, 3),
    )) {
      stage.kernel(
        other,
        at + random.between(5, 300),
        `NVRM: Xid (PCI:${peer.pci}): 145, pid='<unknown>', name=<unknown>, RLW_SRC_TRACK Nonfatal XC1 i0 Link ${two(random.int(0, 17))} (0x00000002 0x80000000 ${none.slice(0, 43)})`,
      );
    }
  }
  xid(spot, at + 900, 45, 'Ch 00000001 caused by previous Xid 149');
}

/** A switch on the baseboard of one node. */
export const nvswitch: NodeFault = {
  family: 'nvswitch',
  categories: ['accelerator_fabric'],
  inKernelLog: true,
  play(spot) {
    const { stage, machine, at } = spot;
    const { random } = stage;
    const unit = random.int(0, 3);
    const head = `nvidia-nvswitch${unit}: SXid (PCI:0000:0${unit + 5}:00.0):`;
    const [code, text] = random.pick<readonly [number, string]>([
      [24007, 'Link 28 sourcetrack timeout error (First)'],
      [20034, 'Link 31 LTSSM Fault Up'],
      [19047, 'Link 12 NCISOC HDR ECC DBE Error'],
      [11009, 'Link 44 ingress invalid VCSet'],
      [12022, 'Link 3 egress input ECC DBE error'],
      [22003, 'Link 7 Minion Halt'],
    ]);
    stage.kernel(machine, at, `${head} ${code}, Fatal, ${text}`);
    stage.kernel(
      machine,
      at + 1,
      `${head} ${code}, Severity 1 Engine instance ${random.int(0, 60)} Sub-engine instance 00`,
    );
    stage.kernel(
      machine,
      at + 2,
      `${head} ${code}, Data {0x${random.hex(8)}, 0x${random.hex(8)}, 0x00000000, 0x00000000}`,
    );
    stage.kernel(
      machine,
      at + 400,
      `detected NVSwitch fatal error ${code} on fid 0 on NVSwitch pci bus id 00000000:0${unit + 5}:00.0 physical id ${unit} port ${random.int(0, 63)}`,
      'nv-fabricmanager',
    );
    if (random.chance(0.6))
      for (const gpu of random.some(machine.gpus, 4)) {
        stage.kernel(
          machine,
          at + random.between(500, 900),
          `NVRM: Xid (PCI:${gpu.pci}): 45, pid=${stage.pid(machine.firstRank + gpu.index)}, name=python3, Ch 00000010`,
        );
      }
    return {
      how: 'dies',
      at: at + random.between(0.5, 3) * second,
      ranks: machine.gpus.map(gpu => machine.firstRank + gpu.index),
      says: () => 'RuntimeError: CUDA error: unspecified launch failure',
    };
  },
  proofs: [],
};
