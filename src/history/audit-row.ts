import type { AuditEntry, AuditPlace } from '../core/audit.ts';
import { type PackedText, unpackText } from '../storage/packed-text.ts';
import type { Row } from '../storage/statement.ts';

const longestBody = 64 * 1024 * 1024;

/** A body as it is stored. */
export function packBody(body: string): PackedText {
  return { packed: body };
}

export async function entryOf(row: Row): Promise<AuditEntry> {
  return {
    requestId: row['request_id'] as string,
    sessionId: row['session_id'] as string | null,
    workloadId: row['workload_id'] as string,
    at: row['at'] as bigint,
    body: await unpackText(row['body'] as Uint8Array, longestBody),
  };
}

/** A page of rows that also have their `id`. */
export async function pageOf(
  rows: readonly Row[],
): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: AuditPlace | null }> {
  const last = rows.at(-1);
  return {
    entries: await Promise.all(rows.map(entryOf)),
    next: last === undefined ? null : { at: last['at'] as bigint, id: last['id'] as bigint },
  };
}
