/** Who speaks at the beginning of a line that the kernel wrote and nobody stamped: drivers and subsystems. */
const speaker =
  /^(?:NVRM: |nvidia-nvswitch\d{1,3}: |nvidia [0-9a-f]{4}:|mlx[45]_core [0-9a-f]{4}:|pcieport [0-9a-f]{4}:|EDAC MC\d|mce: |MCE 0x|(?:\{\d{1,9}\})?\[Hardware Error\]: |EXT4-fs |XFS \(|nvme nvme\d|blk_update_request: |Buffer I\/O error on |Kernel panic - |BUG: |Memory failure: 0x|INFO: task |NMI watchdog: |watchdog: BUG: |rcu: |oom-kill:|Out of memory: |Memory cgroup out of memory: |nfs: server |LustreError: )/;

/**
 * Whether a text is kernel messages and nothing else, cut out without stamps and hosts, as people paste them: each line
 * that is not blank begins as only a driver's or the kernel's does.
 */
export function isBareKernel(lines: readonly string[]): boolean {
  const written = lines.filter(line => line.trim() !== '');
  return written.length > 0 && written.every(line => speaker.test(line));
}
