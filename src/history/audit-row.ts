import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { AuditEntry } from '../core/audit.ts';
import type { Row } from '../storage/statement.ts';

const expand = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(zstdDecompress);
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const longestBody = 64 * 1024 * 1024;

/** A body as it is stored. */
export function packBody(body: string): Uint8Array {
  return zstdCompressSync(body, fastest);
}

export async function entryOf(row: Row): Promise<AuditEntry> {
  const body = await expand(row['body'] as Uint8Array, { maxOutputLength: longestBody });
  return {
    requestId: row['request_id'] as string,
    sessionId: row['session_id'] as string | null,
    workloadId: row['workload_id'] as string,
    at: row['at'] as bigint,
    body: body.toString('utf8'),
  };
}
