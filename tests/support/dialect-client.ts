/** What a client of the dialect sends and reads, no more: its requests as they go over the wire. */
export interface DialectClient {
  create(job: string, cycle: number, nodes: readonly string[], end?: Date): Promise<string>;
  /** Lines of one node's kernel log, as collected at `end`. */
  observe(
    id: string,
    hostname: string,
    lines: readonly string[],
    change?: ObservationChange,
  ): Promise<Response>;
  read(id: string): Promise<DialectAnswer>;
  /** Nodes that a client holds to be faulty. */
  faulty(id: string): Promise<readonly string[]>;
}

export interface ObservationChange {
  readonly app?: string;
  readonly end?: Date;
  /** In place of the stream's entries. */
  readonly values?: readonly unknown[];
}

export interface DialectAnswer {
  readonly attributions: readonly {
    readonly type: string;
    readonly node?: string;
    readonly attributions?: readonly DialectFinding[];
  }[];
  readonly coverage: readonly {
    readonly source: string;
    readonly origin: string;
    readonly groups: readonly { readonly status: string; readonly nodes: string }[];
    readonly lines: number;
    readonly remarks: readonly string[];
  }[];
  readonly error: { readonly type: string } | null;
}

export interface DialectFinding {
  readonly error_category: string;
  readonly evidence: readonly { readonly kind: string; readonly message: string }[];
}

const minuteMs = 60_000;

export function dialectClient(base: string): DialectClient {
  const post = (path: string, body: unknown) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
    });
  const read = async (id: string): Promise<DialectAnswer> => {
    const response = await fetch(`${base}/attributor/${id}/attribution`, { redirect: 'error' });
    if (!response.ok) throw new Error(`read: ${response.status} ${await response.text()}`);
    return (await response.json()) as DialectAnswer;
  };
  return {
    async create(job, cycle, nodes, end = new Date()) {
      const start = new Date(end.getTime() - 12 * minuteMs);
      const response = await post('/attributor', {
        workload: {
          id: `${job}:cycle${cycle}:${end.getTime()}000000`,
          type: 'slurm',
          srun_cmd: 'unknown',
          job_start_time: withMicros(start),
          job_end_time: withMicros(end),
          status: 'FAILED',
          nranks: nodes.length * 8,
          ranks_per_node: 8,
          nodes: [...nodes].sort(),
          name: 'unknown',
          username: 'unknown',
          framework: 'unknown',
          exit_code_signal: 1,
        },
        metadata: { cluster: 'unknown', agent: 'nvrx-ft-launcher', tenant: 'unknown', ruleset: 'default' },
      });
      if (!response.ok) throw new Error(`create: ${response.status} ${await response.text()}`);
      return String(((await response.json()) as { attributor_id: unknown }).attributor_id);
    },
    observe(id, hostname, lines, { app = 'dmesg', end = new Date(), values } = {}) {
      const first = BigInt(end.getTime()) * 1_000_000n - 1_000_000_000n;
      const entry = (line: string) =>
        JSON.stringify({
          body: line,
          severity: 'err',
          attributes: { hostname, appname: 'kernel', facility: 0 },
          resources: {},
        });
      const entries = values ?? lines.map((line, at) => [String(first + BigInt(at)), entry(line)]);
      return post(`/attributor/${id}/observation`, {
        context: {
          time_interval: {
            start: withMicros(new Date(end.getTime() - 12 * minuteMs)),
            end: withMicros(end),
          },
          resources: 'AllJobResources',
          source: 'syslog',
          format: 'raw_loki_streams',
        },
        body: JSON.stringify([{ stream: { job: 'nvrx', app, hostname }, values: entries }]),
      });
    },
    read,
    async faulty(id) {
      const { attributions } = await read(id);
      return attributions
        .filter(
          ({ type, node, attributions: inner }) =>
            type === 'NodeAttribution' && node && inner && inner.length > 0,
        )
        .map(({ node }) => node ?? '');
    },
  };
}

function withMicros(at: Date): string {
  return at.toISOString().replace('Z', '000+00:00');
}
