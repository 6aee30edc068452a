import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { failedJob, wellNodes } from './fakes/failed-job.ts';
import type { FakeServer } from './fakes/fake-server.ts';
import { startFakeLoki } from './fakes/loki.ts';
import { pushToLoki } from './fakes/loki-under-test.ts';
import { startFakeSlurmrestd } from './fakes/slurmrestd.ts';
import { type RunningService, startService } from './service.ts';

/** A service over a log store and a scheduler, both behind HTTP, and a failed job to ask about. */
export interface TracedService {
  readonly service: RunningService;
  readonly loki: FakeServer;
  readonly slurm: FakeServer;
  readonly request: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** What the kernel of the node at fault wrote; it may be in an answer, and nowhere else. */
export const excerpt = 'GPU has fallen off the bus';
/** Who asks; to be found nowhere. */
export const userId = 'user-of-the-request';

const nodes = ['node-01', 'node-02', 'node-03', 'node-04'];

/** `folder` takes configuration and state. */
export async function startTracedService(
  folder: string,
  env: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<TracedService> {
  const end = Math.floor(Date.now() / 1000) - 7200;
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
  const loki = await startFakeLoki();
  const slurm = await startFakeSlurmrestd({
    slurm: {
      versions: [41],
      jobs: [failedJob(42, end)],
      nodes: wellNodes(end),
      maintenance: [],
    },
  });
  const line = (node: string, seconds: number, text: string) => ({
    origin: 'kernel' as const,
    node,
    nanos: BigInt(seconds) * 1_000_000_000n,
    line: `${iso(seconds)} ${node} kernel: ${text}`,
  });
  await pushToLoki(loki.url, 'a', [
    ...nodes.map(node => line(node, end - 700, 'usb 1-1: new device')),
    line('node-03', end - 60, `NVRM: Xid (PCI:0000:9b:00): 79, pid=1234, name=python3, ${excerpt}.`),
  ]);
  const config = join(folder, 'config.yaml');
  writeFileSync(
    config,
    stringify({
      ...settings,
      sources: [
        { name: 'logs', kind: 'loki', url: loki.url, matchers: '{cluster="a"}' },
        { name: 'jobs', kind: 'slurm', url: slurm.url, token: 'x', user: 'user1' },
      ],
    }),
  );
  const service = await startService(['--state', join(folder, 'state')], {
    ATTRIBUTION_CONFIG: config,
    ...env,
  });
  return {
    service,
    loki,
    slurm,
    request: {
      schema_version: '0.1.0',
      workload_id: '42',
      scope: { nodes, ranks: [] },
      failure_context: { detected_at: iso(end), detection_signal: 'crash' },
      timeout_ms: 30_000,
      workload_context: { workflow_id: 'training', attempt_index: 0, job_end_time: iso(end) },
      phase: 'fast',
      user_id: userId,
    },
    async close() {
      await service.kill();
      await loki.close();
      await slurm.close();
    },
  };
}
