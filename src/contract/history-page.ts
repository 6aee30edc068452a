import { datetimeFromWire } from './datetime-wire.ts';
import { type HistoryFields, historyRowToWire } from './history-wire.ts';
import { list } from './plain.ts';
import type { EpochNanos } from './vocabulary.ts';

/** One page of history as it is asked for in a query string; null: not narrowed by that. */
export interface HistoryAsked {
  readonly cluster: string | null;
  readonly nodes: readonly string[] | null;
  readonly device: string | null;
  readonly workloadId: string | null;
  readonly workflowId: string | null;
  readonly since: EpochNanos | null;
  readonly until: EpochNanos | null;
  /** Only nodes that were named. */
  readonly named: boolean;
  readonly limit: number;
  readonly after: Place | null;
}

interface Place {
  readonly at: EpochNanos;
  readonly node: string;
  readonly device: string;
  readonly cluster: string;
  readonly workloadId: string;
  readonly workflowId: string;
  readonly attemptIndex: number;
}

export type ReadHistoryAsked =
  | { readonly ok: true; readonly asked: HistoryAsked }
  | { readonly ok: false; readonly says: string };

const usualLimit = 100;
const mostRows = 1_000;
const words = ['cluster', 'device', 'workload_id', 'workflow_id'] as const;
const names = [...words, 'node', 'since', 'until', 'named', 'limit', 'cursor'];

/** Reads `?node=&device=&workload_id=&workflow_id=&cluster=&since=&until=&named=&limit=&cursor=`; `node` may be repeated. */
export function readHistoryAsked(query: URLSearchParams): ReadHistoryAsked {
  const unknown = [...query.keys()].find(name => !names.includes(name));
  if (unknown !== undefined) return refused(unknown, `is no parameter; there are ${names.join(', ')}`);
  const twice = names.find(name => name !== 'node' && query.getAll(name).length > 1);
  if (twice !== undefined) return refused(twice, 'may be given once');
  const empty = names.find(name => query.getAll(name).includes(''));
  if (empty !== undefined) return refused(empty, 'is empty: give a value or leave it out');
  const limit = query.get('limit') ?? String(usualLimit);
  if (!/^[0-9]{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > mostRows) {
    return refused('limit', `must be a whole number from 1 to ${mostRows}`);
  }
  const named = query.get('named') ?? 'false';
  if (named !== 'true' && named !== 'false') return refused('named', 'must be true or false');
  const [since, until] = [timeOf(query.get('since')), timeOf(query.get('until'))];
  if (since === undefined) return refused('since', noTime);
  if (until === undefined) return refused('until', noTime);
  const cursor = query.get('cursor');
  const after = cursor === null ? null : readCursor(cursor);
  if (cursor !== null && after === null) return refused('cursor', 'must be the next_cursor of an answer');
  const [cluster = null, device = null, workloadId = null, workflowId = null] = words.map(name =>
    query.get(name),
  );
  const nodes = query.getAll('node');
  return {
    ok: true,
    asked: {
      cluster,
      device,
      workloadId,
      workflowId,
      nodes: nodes.length === 0 ? null : nodes,
      since,
      until,
      named: named === 'true',
      limit: Number(limit),
      after,
    },
  };
}

const noTime = 'must be a datetime with its offset, such as 2026-09-09T12:00:00Z';

function refused(name: string, says: string): ReadHistoryAsked {
  return { ok: false, says: `${JSON.stringify(name.slice(0, 64))} ${says}` };
}

function timeOf(text: string | null): EpochNanos | null | undefined {
  return text === null ? null : (datetimeFromWire(text) ?? undefined);
}

/** A page: its rows, and the cursor of the next one where there is more. */
export function renderHistoryPage(rows: readonly HistoryFields[], more: boolean): string {
  const last = rows.at(-1);
  return JSON.stringify({
    rows: rows.map(historyRowToWire),
    next_cursor: more && last !== undefined ? cursorOf(last) : null,
  });
}

function cursorOf(row: HistoryFields): string {
  const { node, cluster, workloadId, workflowId, attemptIndex } = row;
  const device = row.uuid ?? row.pci ?? '';
  const place = [row.at.toString(), node, device, cluster, workloadId, workflowId, attemptIndex];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function readCursor(cursor: string): Place | null {
  const [at, node, device, cluster, workloadId, workflowId, attemptIndex] = list(parse(cursor));
  if (typeof at !== 'string' || !/^-?[0-9]{1,19}$/.test(at)) return null;
  if (typeof node !== 'string' || typeof device !== 'string' || typeof cluster !== 'string') return null;
  if (typeof workloadId !== 'string' || typeof workflowId !== 'string') return null;
  if (!Number.isSafeInteger(attemptIndex)) return null;
  const place = { node, device, cluster, workloadId, workflowId, attemptIndex: Number(attemptIndex) };
  return { ...place, at: BigInt.asIntN(64, BigInt(at)) };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
