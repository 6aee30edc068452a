/** What makes an exporter export a metric: the very line, where there is one, and where it goes. */
const lines: Readonly<Record<string, string>> = {
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: 'counter, Total number of double-bit volatile ECC errors.',
  DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS: 'counter, Number of remapped rows for uncorrectable errors',
  DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS: 'counter, Number of remapped rows for correctable errors',
  DCGM_FI_DEV_ROW_REMAP_FAILURE: 'gauge, Whether remapping of rows has failed',
  DCGM_FI_DEV_XID_ERRORS: 'gauge, Value of the last XID error encountered.',
  DCGM_FI_DEV_PCIE_REPLAY_COUNTER: 'counter, Total number of PCIe retries.',
  DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: 'counter, Total number of NVLink retries.',
  DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL: 'counter, Total number of NVLink recovery errors.',
  DCGM_FI_DEV_GPU_TEMP: 'gauge, GPU temperature (in C).',
  DCGM_FI_DEV_MEMORY_TEMP: 'gauge, Memory temperature (in C).',
  DCGM_FI_DEV_SM_CLOCK: 'gauge, SM clock frequency (in MHz).',
  DCGM_FI_DEV_POWER_VIOLATION: 'counter, Throttling duration due to power constraints.',
  DCGM_FI_DEV_THERMAL_VIOLATION: 'counter, Throttling duration due to thermal constraints.',
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: 'gauge, Reasons why clocks are held down (bits).',
  DCGM_FI_DEV_CLOCK_THROTTLE_REASONS: 'gauge, Reasons why clocks are held down (bits).',
};

/** Collectors of node_exporter by how their metrics begin; all are on unless an operator turned them off. */
const collectors: readonly (readonly [prefix: string, collector: string, needs: string])[] = [
  ['node_infiniband_', 'infiniband', 'a host with InfiniBand or RoCE ports'],
  ['node_edac_', 'edac', "a loaded EDAC driver of the host's memory controller"],
  ['node_vmstat_', 'vmstat', 'oom_kill among --collector.vmstat.fields, where that is set'],
  ['node_kernel_hung_', 'kernel_hung', 'node_exporter 1.10 and a kernel with hung-task detection'],
  ['node_filesystem_', 'filesystem', 'mount points that its exclude patterns leave in'],
  ['node_boot_time_', 'stat', 'nothing else'],
];

export interface Enabling {
  /** Where the lines go. */
  readonly where: string;
  readonly lines: readonly string[];
}

/** How to get metrics that a server lacks, by the place to change. */
export function enablingOf(missing: readonly string[]): readonly Enabling[] {
  const dcgm = missing.filter(metric => metric.startsWith('DCGM_'));
  const node = missing.filter(metric => metric.startsWith('node_'));
  const others = missing.filter(metric => !dcgm.includes(metric) && !node.includes(metric));
  const enabling: Enabling[] = [];
  if (dcgm.length > 0) {
    enabling.push({
      where: 'add to the counters file of dcgm-exporter (--collectors):',
      lines: dcgm.map(metric => `${metric}, ${lines[metric] ?? 'gauge, Wanted by a rule.'}`),
    });
  }
  if (node.length > 0) {
    enabling.push({
      where: 'start node_exporter with:',
      lines: [...new Set(node.map(collectorOf))],
    });
  }
  if (others.length > 0) {
    enabling.push({
      where: 'scrape what exports them, or set metrics: {<name>: <its name here, or false>} for:',
      lines: others,
    });
  }
  return enabling;
}

function collectorOf(metric: string): string {
  const known = collectors.find(([prefix]) => metric.startsWith(prefix));
  return known === undefined ? `the collector of ${metric}` : `--collector.${known[1]}   # needs ${known[2]}`;
}
