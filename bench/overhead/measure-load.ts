import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathOf } from '../../tests/support/installed.ts';

/** What a service bore for some seconds. */
export interface MeasuredLoad {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  readonly failed: number;
}

/** Sends requests over 32 connections, each answered before the next is sent on it. */
export async function measureLoad(url: string, bodyFile: string, seconds: number): Promise<MeasuredLoad> {
  const { stdout } = await promisify(execFile)(
    pathOf('wrk'),
    ['-t1', '-c32', `-d${seconds}s`, '-s', join(import.meta.dirname, 'post.lua'), `${url}/v1/attribution`],
    { env: { ...process.env, REQUEST_BODY: bodyFile } },
  );
  const [rate = 0, p99 = 0, refused = 0, broken = 0] = (/^RESULT (.+)$/m.exec(stdout)?.[1] ?? '')
    .split(' ')
    .map(Number);
  return { requestsPerSecond: rate, p99Ms: p99, failed: refused + broken };
}
