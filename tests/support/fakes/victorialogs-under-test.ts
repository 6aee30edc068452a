import type { Source } from '../../../src/core/ports.ts';
import { bufferPool } from '../../../src/evidence/buffers.ts';
import { parseVictoriaLogsSettings } from '../../../src/evidence/victorialogs/settings.ts';
import { createVictoriaLogsSource } from '../../../src/evidence/victorialogs/victorialogs-source.ts';
import { machineClock } from '../log-lines.ts';
import type { LoggedLine, StoreUnderTest } from '../log-store-suite.ts';
import { silentLog } from '../silent-log.ts';

/** A VictoriaLogs at an address, filled and read as the suite wants. */
export function victoriaLogsUnderTest(url: string, close: () => Promise<void>): StoreUnderTest {
  return {
    stampNanos: 1n,
    push: (cluster, lines) => pushToVictoriaLogs(url, cluster, lines),
    source: (cluster, settings = {}) =>
      victoriaLogsSource(url, { matchers: `{cluster="${cluster}"}`, ...settings }),
    close,
  };
}

export function victoriaLogsSource(url: string, settings: Readonly<Record<string, unknown>> = {}): Source {
  const parsed = parseVictoriaLogsSettings({ name: 'logs', kind: 'victorialogs', url, ...settings });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return createVictoriaLogsSource(parsed.settings, {
    clock: machineClock,
    log: silentLog,
    buffers: bufferPool(),
    random: () => 0.5,
  });
}

const streamFields = 'cluster,job,host,job_id,filename';

export async function pushToVictoriaLogs(
  url: string,
  cluster: string,
  lines: readonly LoggedLine[],
): Promise<void> {
  const body = lines.map(line => JSON.stringify(rowOf(cluster, line))).join('\n');
  const inserted = await fetch(`${url}/insert/jsonline?_stream_fields=${streamFields}`, {
    method: 'POST',
    headers: { 'content-type': 'application/stream+json' },
    body,
  });
  if (!inserted.ok) throw new Error(`insert failed: ${inserted.status} ${await inserted.text()}`);
  // What was inserted is found once it is flushed.
  await (await fetch(`${url}/internal/force_flush`)).arrayBuffer();
}

function rowOf(cluster: string, { origin, node, job, file, nanos, line }: LoggedLine): Record<string, string> {
  const row = { _time: String(nanos), _msg: line, cluster, host: node };
  if (origin === 'job') return { ...row, job_id: job ?? '', filename: file ?? '' };
  return { ...row, job: origin === 'kernel' ? 'kernel' : 'epilog' };
}
