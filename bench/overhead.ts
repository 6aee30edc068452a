import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaemon, until } from '../tests/support/daemon.ts';
import { exampleBody } from '../tests/support/example-body.ts';
import { freePort } from '../tests/support/free-port.ts';
import { isInstalled } from '../tests/support/installed.ts';
import { checkout, startService } from '../tests/support/service.ts';
import { type MeasuredLoad, measureLoad } from './overhead/measure-load.ts';

/**
 * What the adapter itself costs: the service with a recorded answer, sessions in memory and on the disk, against a FastAPI
 * application that validates the same models and returns the same body, on the fastest loop and parser that Debian has
 * for it, in turns. Ratios are those of one round, and the median of the rounds counts, since a machine is now busier and
 * now less. Fails below eight and three times its requests a second, or with a later 99th percentile. The arguments are
 * seconds a turn and rounds.
 */
const seconds = Number(process.argv[2] ?? 10);
const rounds = Number(process.argv[3] ?? 3);
const isShort = seconds < 5;
/** Both sides are measured warm. */
const warmUpSeconds = isShort ? 1 : 3;

const packages = ['wrk', 'uvicorn', 'python3-fastapi', 'python3-uvloop', 'python3-httptools'];
if (!isInstalled(['wrk', 'uvicorn'], packages)) {
  throw new Error(`needs programs of Debian: apt-get install ${packages.join(' ')}`);
}
const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
const bodyFile = join(folder, 'request.json');
const answerFile = join(folder, 'answer.json');
writeFileSync(bodyFile, exampleBody);
writeFileSync(answerFile, await recordedAnswer());

interface Contestant {
  readonly name: string;
  readonly leastRatio: number;
  start(): Promise<{ readonly url: string; readonly pid: number; stop(): Promise<unknown> }>;
}

const contestants: readonly Contestant[] = [
  { name: 'FastAPI', leastRatio: 1, start: startFastapi },
  { name: 'adapter, memory', leastRatio: 8, start: () => startAdapter('memory') },
  { name: 'adapter, SQLite', leastRatio: 3, start: () => startAdapter('sqlite') },
];
const peer = 'FastAPI';
const rows: Map<string, MeasuredLoad>[] = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    const row = new Map<string, MeasuredLoad>();
    for (const { name, start } of contestants) {
      const running = await start();
      await measureLoad(running, bodyFile, warmUpSeconds);
      row.set(name, await measureLoad(running, bodyFile, seconds));
      await running.stop();
    }
    rows.push(row);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const { name, leastRatio } of contestants) {
  const all = (pick: (load: MeasuredLoad, other: MeasuredLoad) => number): number =>
    median(rows.map(row => pick(loadOf(row, name), loadOf(row, peer))));
  const ratio = all((load, other) => load.requestsPerSecond / other.requestsPerSecond);
  const lateness = all((load, other) => load.p99Ms / other.p99Ms);
  const failed = rows.reduce((sum, row) => sum + loadOf(row, name).failed, 0);
  const figures = [
    `${all(load => load.requestsPerSecond).toFixed(0)} requests/s`,
    `p50 ${all(load => load.p50Ms).toFixed(1)} ms`,
    `p99 ${all(load => load.p99Ms).toFixed(1)} ms`,
    `${all(load => load.processorMicros).toFixed(0)} us of processor a request`,
    `failed ${failed}`,
  ];
  console.log(`${name.padEnd(16)} ${figures.join('  ')}`);
  const isMet = ratio >= leastRatio && lateness <= 1;
  if (name !== peer) {
    const said = `${ratio.toFixed(1)} times its requests (at least ${leastRatio}), p99 ${lateness.toFixed(2)} times its own (at most 1)`;
    console.log(`${''.padEnd(16)} ${isMet ? 'met' : 'missed'}: ${said}`);
  }
  if (failed > 0 || (!isMet && !isShort)) process.exitCode = 1;
}

function loadOf(row: ReadonlyMap<string, MeasuredLoad>, name: string): MeasuredLoad {
  const load = row.get(name);
  if (load === undefined) throw new Error(`${name} answered nothing`);
  return load;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

/** A real answer with cited evidence, given once by the built-in provider. */
async function recordedAnswer(): Promise<string> {
  const recorded = join(checkout, 'cases/xid-79-while-peers-time-out');
  const service = await startService(['--evidence', join(recorded, 'evidence')], {
    ATTRIBUTION_SESSIONS_STORE: 'memory',
  });
  const body = readFileSync(join(recorded, 'request.json'));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/v1/attribution`, { method: 'POST', headers, body });
  const text = await response.text();
  await service.stop();
  return text.replaceAll('node-03', 'worker-01');
}

async function startAdapter(store: 'memory' | 'sqlite') {
  const service = await startService(['--state', mkdtempSync(join(folder, 'state-'))], {
    ATTRIBUTION_PROVIDER_KIND: 'replay',
    ATTRIBUTION_PROVIDER_REPLAY_PATH: answerFile,
    ATTRIBUTION_SESSIONS_STORE: store,
    ATTRIBUTION_LOG_LEVEL: 'error',
  });
  return { url: service.url, pid: service.process.pid ?? 0, stop: service.stop };
}

async function startFastapi() {
  const port = await freePort();
  const daemon = startDaemon(
    '/usr/bin/python3',
    // Its fast parts by name: without them it would start all the same, and slower.
    `-m uvicorn same_contract:app --port ${port} --no-access-log --log-level error --loop uvloop --http httptools`.split(
      ' ',
    ),
    {
      cwd: join(import.meta.dirname, 'overhead'),
      env: { RECORDED_ANSWER: answerFile, PYTHONDONTWRITEBYTECODE: '1' },
    },
  );
  const url = `http://127.0.0.1:${port}`;
  await until('FastAPI answers', async () => (await fetch(`${url}/openapi.json`)).ok, 30_000, [daemon]);
  return { url, pid: daemon.pid, stop: () => daemon.stop() };
}
