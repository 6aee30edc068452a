import type { StateRow } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { dateIso } from '../stamp-dating.ts';
import { type Pair, type ScontrolRecord, scontrolRecords } from './scontrol-records.ts';
import { isEnded, isStated, nodesOf, onlyNode, quote, type StateTable, undated } from './state-table.ts';

const jobFields: ReadonlyMap<string, string> = new Map([
  ['JobState', 'state'],
  ['Reason', 'reason'],
  ['ExitCode', 'exit_code'],
  ['DerivedExitCode', 'derived_exit_code'],
  ['NodeList', 'node_list'],
  ['BatchHost', 'batch_host'],
  ['StartTime', 'start_time'],
  ['EndTime', 'end_time'],
  ['Restarts', 'restarts'],
]);

const nodeFields: ReadonlyMap<string, string> = new Map([
  ['State', 'state'],
  ['Reason', 'reason'],
  ['BootTime', 'boot_time'],
  ['SlurmdStartTime', 'slurmd_start_time'],
  ['Gres', 'gres'],
  ['GresUsed', 'gres_used'],
  ['NodeAddr', 'node_addr'],
  ['NodeHostName', 'node_host_name'],
  ['Comment', 'comment'],
  ['Extra', 'extra'],
]);

/** The largest job there is has this many nodes; a few bytes can claim any number. */
const maxDeviceRows = 20_000;
const maxRows = 200_000;

/**
 * Facts of `scontrol show job` and `scontrol show node`, in one line or several (`-o`, `-d`). A key that a record has
 * twice is not read: in the form of one line a job's name can bring keys of its own.
 */
export function parseScontrol(text: string, dating: LineDating, firstLine = 1): StateTable {
  const rows: StateRow[] = [];
  let unread = 0;
  for (const record of scontrolRecords(text, firstLine)) {
    const { pairs, repeated } = uniquePairs(record);
    unread += rows.length < maxRows ? repeated : record.pairs.length;
    if (rows.length >= maxRows) continue;
    rows.push(
      ...(record.entity === 'job' ? jobFacts(record, pairs, dating) : nodeFacts(record, pairs, dating)),
    );
  }
  return { rows, unread };
}

interface UniquePairs {
  readonly pairs: ReadonlyMap<string, Pair>;
  /** How many of the keys that matter were not read. */
  readonly repeated: number;
}

function uniquePairs({ entity, pairs }: ScontrolRecord): UniquePairs {
  const fields = entity === 'job' ? jobFields : nodeFields;
  const unique = new Map<string, Pair>();
  const repeated = new Set<string>();
  for (const pair of pairs) {
    if (!fields.has(pair.key)) continue;
    if (unique.has(pair.key)) repeated.add(pair.key);
    else unique.set(pair.key, pair);
  }
  for (const key of repeated) unique.delete(key);
  return { pairs: unique, repeated: repeated.size };
}

function jobFacts(
  record: ScontrolRecord,
  pairs: ReadonlyMap<string, Pair>,
  dating: LineDating,
): readonly StateRow[] {
  const over = isEnded(pairs.get('JobState')?.value ?? '');
  const end = over ? dateIso(pairs.get('EndTime')?.value ?? '', dating) : null;
  const start = dateIso(pairs.get('StartTime')?.value ?? '', dating);
  const node = onlyNode(pairs.get('NodeList')?.value ?? '');
  const rows = [...pairs.values()].flatMap((pair): readonly StateRow[] => {
    const field = jobFields.get(pair.key);
    // Before a job is over, its end is the limit it may run to.
    if (field === undefined || !isStated(pair.value) || (field === 'end_time' && !over)) return [];
    const instant = ['start_time', 'node_list', 'batch_host'].includes(field) ? start : end;
    return [rowOf(record, pair, { node, field, value: pair.value, instant }, dating)];
  });
  return [...rows, ...deviceFacts(record, dating)];
}

/** `Nodes=node-[01-02] CPU_IDs=0-95 Mem=0 GRES=gpu:h100:8(IDX:0-7)`: which GPUs of which node the job was given. */
function deviceFacts(record: ScontrolRecord, dating: LineDating): readonly StateRow[] {
  const rows: StateRow[] = [];
  let nodes: readonly string[] = [];
  for (const pair of record.pairs) {
    if (pair.key === 'Nodes') nodes = nodesOf(pair.value, maxDeviceRows - rows.length);
    if (pair.key !== 'GRES' || !isStated(pair.value)) continue;
    for (const node of nodes) {
      rows.push(rowOf(record, pair, { node, field: 'gres_idx', value: pair.value, instant: null }, dating));
    }
    nodes = [];
  }
  return rows;
}

function nodeFacts(
  record: ScontrolRecord,
  pairs: ReadonlyMap<string, Pair>,
  dating: LineDating,
): readonly StateRow[] {
  const reason = splitReason(pairs.get('Reason')?.value ?? '');
  const since = dateIso(reason.at, dating);
  return [...pairs.values()].flatMap((pair): readonly StateRow[] => {
    const field = nodeFields.get(pair.key);
    const value = field === 'reason' ? reason.words : pair.value;
    if (field === undefined || !isStated(value)) return [];
    const instant = nodeInstant(field, value, since, dating);
    return [rowOf(record, pair, { node: record.name, field, value, instant }, dating)];
  });
}

function nodeInstant(field: string, value: string, since: Instant | null, dating: LineDating): Instant | null {
  if (field === 'boot_time' || field === 'slurmd_start_time') return dateIso(value, dating);
  // Slurm sets state and reason together when it takes a node out of service.
  const outOfService = field === 'state' && /DOWN|DRAIN|FAIL/.test(value);
  return field === 'reason' || outOfService ? since : null;
}

const setBy = / ?\[[^\s[\]@]{1,64}@([^\s[\]]{1,32})\]$/;

function splitReason(value: string): { readonly words: string; readonly at: string } {
  const match = setBy.exec(value.slice(-128));
  if (match === null) return { words: value, at: '' };
  return { words: value.slice(0, value.length - match[0].length), at: match[1] ?? '' };
}

interface Fact {
  readonly node: string | null;
  readonly field: string;
  readonly value: string;
  readonly instant: Instant | null;
}

function rowOf({ entity, name }: ScontrolRecord, pair: Pair, fact: Fact, dating: LineDating): StateRow {
  const { line, text, at, length } = pair;
  return {
    entity,
    name,
    ...fact,
    instant: fact.instant ?? undated(dating, line),
    line,
    text: quote(text, at, length),
  };
}
