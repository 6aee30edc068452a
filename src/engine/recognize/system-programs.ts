/**
 * Who may speak for a node in its own log besides the kernel: daemons that report hardware, fabric, file systems, the
 * scheduler or the system's own state. A syslog takes lines from any process; what others write there is no more than
 * job text, whatever it says.
 */
const systemPrograms: ReadonlySet<string> = new Set([
  'kernel',
  'systemd',
  'init',
  'kdump',
  'watchdog',
  'mcelog',
  'rasdaemon',
  'edac-util',
  'smartd',
  'thermald',
  'ipmievd',
  'ipmitool',
  'bmc',
  'sel',
  'opensm',
  'rdma-ndd',
  'ibacm',
  'wpa_supplicant',
  'networkmanager',
  'slurmd',
  'slurmstepd',
  'nhc',
  'prolog',
  'epilog',
  'mmfs',
  'mmfsd',
  'multipathd',
  'iscsid',
  'mdadm',
  'dockerd',
  'containerd',
  'kubelet',
  'crio',
  'enroot',
  'pyxis',
]);

/** Prefixes of families of daemons: fabric manager, persistence, IMEX, host engine, Lustre, Weka, Mellanox tools. */
const systemFamilies = [
  'systemd-',
  'nv-',
  'nvidia-',
  'dcgm',
  'lustre',
  'lnet',
  'weka',
  'mst',
  'mlx',
  'ipmi',
] as const;

/** Whether a line of a node's own log speaks for the node; raw kernel text names no program. */
export function speaksForNode(program: string | null): boolean {
  if (program === null) return true;
  const name = program.toLowerCase();
  return systemPrograms.has(name) || systemFamilies.some(family => name.startsWith(family));
}
