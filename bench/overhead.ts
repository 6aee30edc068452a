import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startDaemon, until } from '../tests/support/daemon.ts';
import { exampleBody } from '../tests/support/example-body.ts';
import { isInstalled } from '../tests/support/installed.ts';
import { checkout, startService } from '../tests/support/service.ts';
import { type MeasuredLoad, measureLoad } from './overhead/measure-load.ts';

/**
 * What the adapter itself costs: the service with a recorded answer, sessions in memory and on the disk, against a FastAPI
 * application that validates the same models and returns the same body, in turns. Fails below eight and three times its
 * requests a second, or with a later 99th percentile. The arguments are seconds a turn and rounds.
 */
const seconds = Number(process.argv[2] ?? 10);
const rounds = Number(process.argv[3] ?? 3);
const isShort = seconds < 5;

if (!isInstalled(['wrk', 'uvicorn'], ['wrk', 'uvicorn', 'python3-fastapi'])) {
  throw new Error('needs wrk, uvicorn and python3-fastapi: apt-get install wrk uvicorn python3-fastapi');
}
const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
const bodyFile = join(folder, 'request.json');
const answerFile = join(folder, 'answer.json');
writeFileSync(bodyFile, exampleBody);
writeFileSync(answerFile, await recordedAnswer());

interface Contestant {
  readonly name: string;
  readonly leastRatio: number;
  start(): Promise<{ readonly url: string; stop(): Promise<unknown> }>;
}

const contestants: readonly Contestant[] = [
  { name: 'FastAPI', leastRatio: 1, start: startFastapi },
  { name: 'adapter, memory', leastRatio: 8, start: () => startAdapter('memory') },
  { name: 'adapter, SQLite', leastRatio: 3, start: () => startAdapter('sqlite') },
];
const best = new Map<string, MeasuredLoad>();
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, start } of contestants) {
      const running = await start();
      await measureLoad(running.url, bodyFile, 1);
      const load = await measureLoad(running.url, bodyFile, seconds);
      await running.stop();
      if (load.requestsPerSecond > (best.get(name)?.requestsPerSecond ?? 0)) best.set(name, load);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const peer = best.get('FastAPI');
for (const { name, leastRatio } of contestants) {
  const load = best.get(name);
  if (load === undefined || peer === undefined) throw new Error(`${name} answered nothing`);
  const ratio = load.requestsPerSecond / peer.requestsPerSecond;
  const said = `${load.requestsPerSecond.toFixed(0).padStart(7)} requests/s  ${ratio.toFixed(1).padStart(5)} x FastAPI  p99 ${load.p99Ms.toFixed(1)} ms  failed ${load.failed}`;
  console.log(`${name.padEnd(16)} ${said}`);
  const isSlow = ratio < leastRatio || load.p99Ms > peer.p99Ms;
  if (load.failed > 0 || (isSlow && !isShort)) process.exitCode = 1;
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

function startAdapter(store: 'memory' | 'sqlite') {
  return startService(['--state', mkdtempSync(join(folder, 'state-'))], {
    ATTRIBUTION_PROVIDER_KIND: 'replay',
    ATTRIBUTION_PROVIDER_REPLAY_PATH: answerFile,
    ATTRIBUTION_SESSIONS_STORE: store,
    ATTRIBUTION_LOG_LEVEL: 'error',
  });
}

async function startFastapi() {
  const port = await freePort();
  const daemon = startDaemon(
    '/usr/bin/python3',
    ['-m', 'uvicorn', 'same_contract:app', '--port', String(port), '--no-access-log', '--log-level', 'error'],
    {
      cwd: join(import.meta.dirname, 'overhead'),
      env: { RECORDED_ANSWER: answerFile, PYTHONDONTWRITEBYTECODE: '1' },
    },
  );
  const url = `http://127.0.0.1:${port}`;
  await until('FastAPI answers', async () => (await fetch(`${url}/openapi.json`)).ok, 30_000, [daemon]);
  return { url, stop: () => daemon.stop() };
}
