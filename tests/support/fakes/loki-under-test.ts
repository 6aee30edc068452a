import type { Source } from '../../../src/core/ports.ts';
import { bufferPool } from '../../../src/evidence/buffers.ts';
import { createLokiSource } from '../../../src/evidence/loki/loki-source.ts';
import { parseLokiSettings } from '../../../src/evidence/loki/settings.ts';
import { machineClock } from '../log-lines.ts';
import type { LoggedLine, StoreUnderTest } from '../log-store-suite.ts';
import { silentLog } from '../silent-log.ts';

/** A Loki at an address, filled and read as the suite wants. */
export function lokiUnderTest(url: string, close: () => Promise<void>): StoreUnderTest {
  return {
    stampNanos: 1n,
    push: (cluster, lines) => pushToLoki(url, cluster, lines),
    source: (cluster, settings = {}) => lokiSource(url, { matchers: `{cluster="${cluster}"}`, ...settings }),
    close,
  };
}

export function lokiSource(url: string, settings: Readonly<Record<string, unknown>> = {}): Source {
  const parsed = parseLokiSettings({ name: 'loki', kind: 'loki', url, ...settings });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return createLokiSource(parsed.settings, {
    clock: machineClock,
    log: silentLog,
    buffers: bufferPool(),
    random: () => 0.5,
  });
}

const linesInPush = 5000;

export async function pushToLoki(url: string, cluster: string, lines: readonly LoggedLine[]): Promise<void> {
  for (let from = 0; from < lines.length; from += linesInPush) {
    const streams = new Map<string, { stream: Record<string, string>; values: [string, string][] }>();
    for (const line of lines.slice(from, from + linesInPush)) {
      const stream = labelsOf(cluster, line);
      const key = JSON.stringify(stream);
      const known = streams.get(key) ?? { stream, values: [] };
      streams.set(key, known);
      known.values.push([String(line.nanos), line.line]);
    }
    const response = await fetch(`${url}/loki/api/v1/push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ streams: [...streams.values()] }),
    });
    if (!response.ok) throw new Error(`push failed: ${response.status} ${await response.text()}`);
  }
}

function labelsOf(cluster: string, { origin, node, job, file }: LoggedLine): Record<string, string> {
  if (origin === 'job') return { cluster, job_id: job ?? '', filename: file ?? '', host: node };
  return { cluster, job: origin === 'kernel' ? 'kernel' : 'epilog', host: node };
}
