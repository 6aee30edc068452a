import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathOf } from '../../tests/support/installed.ts';

/** What a service bore for some seconds. */
export interface MeasuredLoad {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  /** Time of processors that it took for a request, all its threads together, whatever else the machine was doing. */
  readonly processorMicros: number;
}

/** Sends requests over 32 connections, each answered before the next is sent on it. */
export async function measureLoad(
  service: { readonly url: string; readonly pid: number },
  bodyFile: string,
  seconds: number,
): Promise<MeasuredLoad> {
  const before = processorMicrosOf(service.pid);
  const { stdout } = await promisify(execFile)(
    pathOf('wrk'),
    [
      '-t1',
      '-c32',
      `-d${seconds}s`,
      '-s',
      join(import.meta.dirname, 'post.lua'),
      `${service.url}/v1/attribution`,
    ],
    { env: { ...process.env, REQUEST_BODY: bodyFile } },
  );
  const spent = processorMicrosOf(service.pid) - before;
  const [requests = 0, rate = 0, p50 = 0, p99 = 0, refused = 0, broken = 0] = (
    /^RESULT (.+)$/m.exec(stdout)?.[1] ?? ''
  )
    .split(' ')
    .map(Number);
  return {
    requestsPerSecond: rate,
    p50Ms: p50,
    p99Ms: p99,
    failed: refused + broken,
    processorMicros: spent / requests,
  };
}

/** A tick of the kernel's account, whatever its own clock. */
const microsPerTick = 10_000;
const userTime = 11;
const systemTime = 12;

function processorMicrosOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[userTime]) + Number(fields[systemTime])) * microsPerTick;
}
