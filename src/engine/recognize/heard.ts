import type { ParsedLine } from '../../lines/line.ts';

/**
 * Who may speak for a node in its own log besides the kernel: daemons that report hardware, fabric, file systems, the
 * scheduler or the system's own state. A syslog takes lines from any process; what others write there is no more than
 * job text, whatever it says.
 */
const systemPrograms: ReadonlySet<string> = new Set([
  'kernel',
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
  'shutdown',
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

/** Formats in which every line of the log names its host: what carries no prefix continues somebody's long message. */
const prefixedFormats: ReadonlySet<string> = new Set([
  'syslog',
  'syslog-iso',
  'syslog-5424',
  'journal-short',
  'shipped-json',
]);

/** `<12>`: priority of a syslog or kernel buffer line, eight levels a facility, the kernel's own being 0. */
const priority = /^<(\d{1,3})>/;
/** `user  :notice: `: the same in words, as dmesg -x writes it. */
const facility = /^(?:[A-Za-z0-9._-]{1,255}: )?(user|daemon|syslog|local[0-7]) {0,6}: {0,3}[a-z]{3,7} {0,6}:/;
/** Text that names another writer: audit records, and processes that write into the kernel's buffer. */
const relayed = /^(?:audit: |audit\(|type=\d{1,6} audit|([^\s:[\]]{1,64})\[\d{1,10}\]:? )/;
/** What the kernel itself says of a process begins with the process. */
const saidOfProcess =
  /^(?:traps: )?[^\s[\]]{1,64}\[\d{1,10}\]:? (?:segfault|general protection|trap |unhandled signal|bad frame|killed|trapped|potentially unexpected|undefined instruction)/;

/**
 * Whether a line of a node's own log speaks for the node: it is the kernel's or a daemon's, not what some process had
 * written there. `start` is the beginning of the line as `line` was parsed from it.
 */
export function speaksForNode(format: string, line: ParsedLine, start: string): boolean {
  // The system's own manager, not the one of a user, whose units say what the user likes.
  if (line.program === 'systemd') return line.pid === 1;
  if (line.program !== null && line.program !== 'kernel') return isSystemProgram(line.program);
  // The kernel has no process number; `logger -t kernel -i` has.
  if (line.program === 'kernel' && line.pid !== null) return false;
  if (prefixedFormats.has(format) && line.host === null) return false;
  const written = priority.exec(start);
  if (written !== null && Number(written[1]) >= 8) return false;
  if (facility.test(start)) return false;
  const message = start.slice(line.messageAt);
  const writer = relayed.exec(message);
  if (writer === null || saidOfProcess.test(message)) return true;
  return writer[1] !== undefined && isSystemProgram(writer[1]);
}

export function isSystemProgram(program: string): boolean {
  const name = program.toLowerCase();
  return systemPrograms.has(name) || systemFamilies.some(family => name.startsWith(family));
}

/** Whether what follows is somebody else's words: a test or a tool tells in its own line what the kernel would say. */
export function endsInQuotation(text: string): boolean {
  return /['`]$/.test(text) || text.split('"').length % 2 === 0;
}
