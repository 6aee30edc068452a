import type { StateRow } from '../../core/batch.ts';
import type { NodeIdentity } from '../../core/ports.ts';
import type { Nanos } from '../../core/time.ts';
import { expandHostList } from '../../lines/host-list.ts';

/** What tables of the scheduler say of one job. */
export interface JobRecord {
  readonly id: string;
  readonly nodes: readonly string[];
  readonly start: Nanos | null;
  readonly end: Nanos | null;
}

const mostNodes = 100_000;

/** The record of a job with its steps, array tasks and components; null where no row is about it. */
export function jobRecord(rows: readonly StateRow[], workloadId: string): JobRecord | null {
  const own = rows.filter(row => row.entity === 'job' && isOfJob(row.name, workloadId));
  if (own.length === 0) return null;
  // Steps run on some of the job's nodes; they count only where the job's own line is missing.
  const whole = own.filter(row => !row.name.includes('.'));
  const base = whole.length > 0 ? whole : own;
  const lists = base.filter(row => row.field === 'node_list').map(row => row.value);
  const nodes = new Set(lists.flatMap(namesOf));
  return {
    id: workloadId,
    nodes: [...nodes],
    start: pick(base, 'start_time', (a, b) => (a < b ? a : b)),
    end: pick(base, 'end_time', (a, b) => (a > b ? a : b)),
  };
}

/** The request's job where tables know it; where a person pointed at them, else the only one they know. */
export function jobIn(
  rows: readonly StateRow[],
  workloadId: string,
  trust: 'configured' | 'command-line',
): JobRecord | null {
  const asked = jobRecord(rows, workloadId);
  if (asked !== null || trust === 'configured') return asked;
  const only = onlyJob(rows);
  return only === null ? null : jobRecord(rows, only);
}

function onlyJob(rows: readonly StateRow[]): string | null {
  const [id, ...others] = jobsIn(rows);
  return others.length === 0 && id !== undefined ? id : null;
}

/** The jobs that tables know, each once, without steps and components. */
export function jobsIn(rows: readonly StateRow[]): readonly string[] {
  return [...new Set(rows.filter(row => row.entity === 'job').map(row => baseOf(row.name)))];
}

/** Names and addresses under which the scheduler knows each of its nodes. */
export function aliasesOf(rows: readonly StateRow[]): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, string[]>();
  for (const { entity, name, field, value } of rows) {
    if (entity !== 'node' || (field !== 'node_addr' && field !== 'node_host_name') || value === name) continue;
    const known = aliases.get(name) ?? [];
    if (!known.includes(value)) aliases.set(name, [...known, value]);
  }
  return aliases;
}

export function withAliases(
  names: readonly string[],
  aliases: ReadonlyMap<string, readonly string[]>,
): readonly NodeIdentity[] {
  return names.map(name => ({ name, aliases: aliases.get(name) ?? [] }));
}

/** When each node was booted last, as the scheduler knows it. */
export function bootTimes(rows: readonly StateRow[]): ReadonlyMap<string, Nanos> {
  const boots = new Map<string, Nanos>();
  for (const { entity, name, field, instant } of rows) {
    if (entity === 'node' && field === 'boot_time' && instant.nanos !== null) boots.set(name, instant.nanos);
  }
  return boots;
}

/** `42`, `42_7` (array task), `42+1` (component), each with `.batch`, `.0` and the like (steps). */
function isOfJob(name: string, workloadId: string): boolean {
  const withoutStep = baseOf(name);
  if (withoutStep === workloadId) return true;
  return /^\d+$/.test(workloadId) && withoutStep.split('_', 1)[0] === workloadId;
}

function baseOf(name: string): string {
  return name.split(/[.+]/, 1)[0] ?? name;
}

function namesOf(list: string): readonly string[] {
  const expanded = expandHostList(list, mostNodes);
  return expanded.ok ? expanded.names : [];
}

function pick(rows: readonly StateRow[], field: string, better: (a: Nanos, b: Nanos) => Nanos): Nanos | null {
  const stamps = rows.filter(row => row.field === field).map(row => row.instant.nanos);
  return stamps
    .filter(nanos => nanos !== null)
    .reduce<Nanos | null>((a, b) => (a === null ? b : better(a, b)), null);
}
