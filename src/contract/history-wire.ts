import { datetimeFromWire, datetimeToWire } from './datetime-wire.ts';
import { isPlain, member, number, type Plain, text } from './plain.ts';
import { type EpochNanos, type ErrorCategory, errorCategories } from './vocabulary.ts';

const strengths = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6'] as const;

/** What one failed attempt showed on a node and device, as it is written and read; no part of the OpenAPI document. */
export interface WireHistoryRow {
  readonly cluster: string;
  readonly workload_id: string;
  readonly workflow_id: string;
  readonly attempt_index: number;
  readonly node: string;
  readonly gpu_uuid: string | null;
  readonly pci: string | null;
  readonly symptom: string;
  readonly code: string | null;
  readonly title: string;
  readonly strength: string | null;
  readonly devices_alike: number;
  readonly finding: string | null;
  readonly at: string;
}

export interface HistoryFields {
  readonly cluster: string;
  readonly workloadId: string;
  readonly workflowId: string;
  readonly attemptIndex: number;
  readonly node: string;
  readonly uuid: string | null;
  readonly pci: string | null;
  readonly symptom: string;
  readonly code: string | null;
  readonly title: string;
  readonly strength: (typeof strengths)[number] | null;
  readonly alike: number;
  readonly finding: ErrorCategory | null;
  readonly at: EpochNanos;
}

export function historyRowToWire(row: HistoryFields): WireHistoryRow {
  return {
    cluster: row.cluster,
    workload_id: row.workloadId,
    workflow_id: row.workflowId,
    attempt_index: row.attemptIndex,
    node: row.node,
    gpu_uuid: row.uuid,
    pci: row.pci,
    symptom: row.symptom,
    code: row.code,
    title: row.title,
    strength: row.strength,
    devices_alike: row.alike,
    finding: row.finding,
    at: datetimeToWire(row.at),
  };
}

/** Reads rows from JSON text; null where one of them is none. `cluster` is `unknown` and `devices_alike` 1 unless given. */
export function readHistoryRows(json: string): readonly HistoryFields[] | null {
  const rows = parse(json);
  if (!Array.isArray(rows)) return null;
  const read = rows.map(row => (isPlain(row) ? rowFromWire(row) : null));
  return read.every(row => row !== null) ? read : null;
}

function rowFromWire(row: Plain): HistoryFields | null {
  const word = (name: string): string | null => text(member(row, name));
  const [workloadId, workflowId, node, symptom] = ['workload_id', 'workflow_id', 'node', 'symptom'].map(word);
  const at = datetimeFromWire(word('at') ?? '');
  if (workloadId == null || workflowId == null || node == null || symptom == null || at === null) return null;
  return {
    cluster: word('cluster') ?? 'unknown',
    workloadId,
    workflowId,
    attemptIndex: number(member(row, 'attempt_index')) ?? 0,
    node,
    uuid: word('gpu_uuid'),
    pci: word('pci'),
    symptom,
    code: word('code'),
    title: word('title') ?? symptom,
    strength: strengths.find(strength => strength === word('strength')) ?? null,
    alike: number(member(row, 'devices_alike')) ?? 1,
    finding: errorCategories.find(category => category === word('finding')) ?? null,
    at,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
