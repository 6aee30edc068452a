import { bootStamp, cStamp, isoMicros, syslogStamp } from './text/stamps.ts';

/** What a machine or a scheduler would write of a fault; `{pci}` and `{node}` stand for those of whoever prints it. */
export const kernelShapes: readonly string[] = [
  "NVRM: Xid (PCI:{pci}): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
  "NVRM: Xid (PCI:{pci}): 48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has been detected on GPU",
  'NVRM: Xid (PCI:{pci}): 94, pid=4711, name=python3, Contained: SM (0x1). RST: No, D-RST: No',
  'NVRM: Xid (PCI:{pci}): 95, pid=4711, name=python3, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No',
  'NVRM: Xid (PCI:{pci}): 119, pid=4711, name=python3, Timeout after 45s of waiting for RPC response from GPU0 GSP! Expected function 76 (GSP_RM_CONTROL) (0x2080012a 0x4).',
  'NVRM: Xid (PCI:{pci}): 64, Row Remapper: Failed to remap row 0x0000000000013f77',
  'NVRM: Xid (PCI:{pci}): 149, NETIR_LINK_EVT Fatal XC0 i0 Link 08 (0x004505c6 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)',
  'NVRM: Xid (PCI:{pci}): 74, NVLink: fatal error detected on link 14(0x10, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)',
  'NVRM: The NVIDIA GPU {pci}.0\nNVRM: (PCI ID: 10de:2330) installed in this system has\nNVRM: fallen off the bus and is not responding to commands.',
  'NVRM: GPU {pci}.0: GPU has fallen off the bus.',
  'nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 24007, Fatal, Link 28 sourcetrack timeout error (First)',
  'pcieport 0000:37:01.0: AER: Uncorrected (Fatal) error received: 0000:37:01.0',
  'pcieport 0000:37:01.0: pciehp: Slot(12): Link Down',
  "mlx5_core 0000:18:00.0: poll_health:743:(pid 0): device's health compromised - reached miss count",
  'mlx5_core 0000:18:00.0: wait_func:964:(pid 112): ENABLE_HCA(0x104) timeout. Will cause a leak of a command resource',
  'mlx5_core 0000:18:00.0 ibp24s0: Link down',
  'EDAC MC3: 1 UE memory read error on CPU_SrcID#0_MC#1_Chan#0_DIMM#1 (channel:0 slot:1 page:0x3f offset:0x0 grain:32)',
  'mce: [Hardware Error]: CPU 12: Machine Check Exception: 5 Bank 7: be00000000800400',
  'Memory failure: 0x3f2a7c1: Killing python3:4711 due to hardware memory corruption',
  'Kernel panic - not syncing: Fatal exception',
  'NMI watchdog: Watchdog detected hard LOCKUP on cpu 12',
  'EXT4-fs (sda2): Remounting filesystem read-only',
  'error: Node {node} unexpectedly rebooted boot_time:1768303590 last response:1768303000',
  'error: Nodes {node} not responding, setting DOWN',
  'error: Setting node {node} state to INVAL with reason:gres/gpu count reported lower than configured (7 < 8)',
];

/** A way a program could print such a line. */
export type Quoting = (text: string, node: string, at: number) => string;

const each = (text: string, head: string): string =>
  text
    .split('\n')
    .map(line => `${head}${line}`)
    .join('\n');

export const quotings: readonly Quoting[] = [
  text => text,
  (text, node, at) => each(text, `${syslogStamp(at)} ${node} kernel: `),
  (text, _node, at) => each(text, `[${bootStamp(at, at - 7_000_000_000)}] `),
  (text, _node, at) => each(text, `[${cStamp(at)}] `),
  (text, node, at) => each(text, `${isoMicros(at)}+00:00 ${node} kernel: `),
  (text, node, at) => each(text, `<2>1 ${isoMicros(at)}Z ${node} kernel - - - `),
  (text, node, at) =>
    JSON.stringify({
      __REALTIME_TIMESTAMP: String(Math.floor(at * 1000)),
      _HOSTNAME: node,
      _TRANSPORT: 'kernel',
      SYSLOG_IDENTIFIER: 'kernel',
      MESSAGE: text,
    }),
  (text, node, at) => each(text, `[${isoMicros(at).slice(0, -3)}] ${node}: `),
];
