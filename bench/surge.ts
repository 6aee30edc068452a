import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectClient } from '../tests/support/dialect-client.ts';
import { freePort } from '../tests/support/free-port.ts';
import { startService } from '../tests/support/service.ts';
import { headOf, postOnce, type Template, template } from './surge-client.ts';

/**
 * A surge of observations for one attributor, each over a connection of its own, a tenth of them ten times as large:
 * how long until all are acknowledged, percentiles of one, the read right after the last, and peak resident memory.
 * `node bench/surge.ts [OBSERVATIONS] [AT_ONCE]`. Fails where one is refused or lost, or figures are missed.
 */
const total = Number(process.argv[2] ?? 20_000);
const atOnce = Number(process.argv[3] ?? 256);
const limitSeconds = (30 * total) / 20_000;
const smallBytes = 20_000;
const guilty = Math.floor(total / 3);
const nameless = 'node-#####';
const smallTemplate = templateOf(smallBytes, false);
const largeTemplate = templateOf(smallBytes * 10, false);
const guiltyTemplate = templateOf(smallBytes, true);

const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
try {
  const port = await freePort();
  const service = await startService(['--state', join(folder, 'state')], {
    ATTRIBUTION_ATTRIBUTOR_ENABLED: 'true',
    ATTRIBUTION_LISTEN_ATTRIBUTOR: `127.0.0.1:${port}`,
    ATTRIBUTION_LOG_LEVEL: 'warn',
  });
  const client = dialectClient(`http://127.0.0.1:${port}/latest`);
  const names = Array.from({ length: total }, (_, at) => `node-${String(at).padStart(5, '0')}`);
  const id = await client.create('7', 1, names);
  const cpuBefore = cpuSeconds(service.process.pid ?? 0);
  const ownBefore = cpuSeconds(process.pid);

  const times: number[] = [];
  let refused = 0;
  let sentBytes = 0;
  let next = 0;
  const start = performance.now();
  const sendNext = async (): Promise<void> => {
    for (let at = next++; at < total; at = next++) {
      const kind = templateFor(at);
      sentBytes += kind.bytes;
      const head = headOf(`/latest/attributor/${id}/observation`, kind.bytes);
      const body = kind.with(names[at] ?? '');
      const began = performance.now();
      const status = await postOnce(port, [head, body]);
      times.push(performance.now() - began);
      if (status !== 200) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  const seconds = (performance.now() - start) / 1000;
  const readStart = performance.now();
  const answer = await client.read(id);
  const readSeconds = (performance.now() - readStart) / 1000;
  const peak = peakResidentMib(service.process.pid ?? 0);
  const cpu = cpuSeconds(service.process.pid ?? 0) - cpuBefore;
  const ownCpu = cpuSeconds(process.pid) - ownBefore;
  await service.stop();

  const pushed = answer.coverage.find(source => source.source === 'pushed');
  const seen = pushed?.groups.find(({ status }) => status === 'truncated')?.nodes;
  const named = answer.attributions.map(item => item.node);
  times.sort((a, b) => a - b);
  const percentile = (share: number): string =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN).toFixed(0);
  console.log(`${total} observations, ${(sentBytes / 1e6).toFixed(0)} MB, ${atOnce} connections at once`);
  console.log(`acknowledged after ${seconds.toFixed(1)} s, ${refused} refused`);
  console.log(
    `one observation: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(1)} ms`,
  );
  console.log(
    `read right after the last: ${readSeconds.toFixed(2)} s, nodes seen ${seen}, named ${named.join()}`,
  );
  console.log(`peak resident memory ${peak.toFixed(0)} MiB`);
  console.log(`processor time: service ${cpu.toFixed(1)} s, load program ${ownCpu.toFixed(1)} s`);
  const whole = seen === `node-[00000-${String(total - 1).padStart(5, '0')}]`;
  const isRight = named.length === 1 && named[0] === names[guilty];
  if (refused > 0 || !whole || !isRight || seconds > limitSeconds || readSeconds > 2) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Kernel lines of one node: the load must not cost more than what bears it. */
function templateFor(at: number): Template {
  return at === guilty ? guiltyTemplate : at % 10 === 9 ? largeTemplate : smallTemplate;
}

function templateOf(wanted: number, isGuilty: boolean): Template {
  const end = Date.now();
  const values: [string, string][] = [];
  for (let bytes = 0, line = 0; bytes < wanted; line += 1) {
    const stamp = `[${(1000 + line / 7).toFixed(6).padStart(14)}]`;
    const text =
      line === 3 && isGuilty
        ? `${stamp} NVRM: Xid (PCI:0000:b3:00): 79, pid=4711, name=python3, GPU has fallen off the bus.`
        : `${stamp} audit: type=1400 pid=${line * 31} comm="worker" path="/proc/${line * 7919}/stat" denied`;
    const entry = JSON.stringify({
      body: text,
      severity: 'info',
      attributes: { hostname: nameless, appname: 'kernel', facility: 0 },
      resources: {},
    });
    values.push([String(BigInt(end) * 1_000_000n + BigInt(line)), entry]);
    // As it stands in the body, where every quote of it is escaped twice.
    bytes += JSON.stringify(JSON.stringify(entry)).length + 30;
  }
  const observation = {
    context: {
      time_interval: { start: new Date(end - 720_000).toISOString(), end: new Date(end).toISOString() },
      resources: 'AllJobResources',
      source: 'syslog',
      format: 'raw_loki_streams',
    },
    body: JSON.stringify([{ stream: { job: 'nvrx', app: 'dmesg', hostname: nameless }, values }]),
  };
  return template(JSON.stringify(observation), nameless);
}

/** User and system time since the process began, in ticks of a hundredth of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function peakResidentMib(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(line ?? Number.NaN) / 1024;
}
