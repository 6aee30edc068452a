import type { BatchHeader, SampleBatch, SampleSeries, StateBatch, StateRow } from '../../core/batch.ts';
import type { Observation, Reference } from '../../core/symptom.ts';
import { isHostOf } from '../../lines/host-names.ts';
import type { CodeLookup, CodeMeaning } from '../corpus/catalogue.ts';
import type { Rule } from '../corpus/rule.ts';
import { deviceOf, normalizePci, toIndex } from '../recognize/devices.ts';
import type { LineHit } from '../recognize/hit.ts';

type Captures = Readonly<Record<string, string>>;

/** One observation of one rule, with what its code means. */
export interface Sighting {
  readonly rule: Rule;
  readonly observation: Observation;
  readonly meaning: CodeMeaning | null;
}

/** What a line that a rule matched says about when, where and what. */
export function sightingOfLine(header: BatchHeader, rule: Rule, hit: LineHit, lookup: CodeLookup): Sighting {
  const { captures, speaker } = hit;
  const observation: Observation = {
    instant: hit.instant,
    source: header.source,
    origin: header.origin,
    stream: header.stream,
    node: nodeOf(header, captures, speaker.host),
    rank: rankIn(captures, speaker.rank),
    device: deviceOf(captures, speaker.gpu),
    text: hit.text,
    reference: referenceTo(header, hit.line),
    captures: { ...speakerCaptures(hit), ...captures },
  };
  return { rule, observation, meaning: lookup(rule.catalogue, captures) };
}

/** A process group counts its own ranks: where a line names one, the job's rank is what its prefix says. */
function rankIn(captures: Captures, prefix: number | null): number | null {
  const own = toIndex(captures['rank']);
  return captures['group'] === undefined ? (own ?? prefix) : (prefix ?? own);
}

/** A line of a file or of what was kept, or the entry of a store that the line is, or is part of. */
function referenceTo({ stream, firstLine, entries }: BatchHeader, line: number): Reference {
  const kept = entries?.kept;
  if (kept !== undefined) return { kind: 'file', path: kept.path, line: kept.linesBefore + line };
  const stamp = entries?.stamps[line - firstLine];
  return entries === undefined || stamp === undefined
    ? { kind: 'file', path: stream, line }
    : { kind: 'query', query: entries.query, stamp: String(stamp) };
}

/**
 * Trust follows transport: the stream's own node, unless the line says that another host wrote it; else the node a
 * scheduler speaks of, else the host that the line names as its own. What job text says about other nodes locates
 * nothing.
 */
function nodeOf(header: BatchHeader, captures: Captures, host: string | null): string | null {
  const { node } = header;
  if (node !== null) return host === null || isHostOf(host, node, header.hostAlias) ? node : host;
  const spokenOf = header.origin === 'scheduler' ? captures['node'] : undefined;
  return spokenOf ?? captures['host'] ?? host;
}

/** What the line's prefix says of its writer, under the names that patterns use. */
function speakerCaptures({ speaker }: LineHit): Captures {
  const said: Record<string, string> = {};
  for (const name of ['host', 'pid', 'rank', 'task', 'gpu'] as const) {
    const value = speaker[name];
    if (value !== null) said[name] = String(value);
  }
  return said;
}

/** What a scheduler or a health check states. Its value is captured as `value`, a job's id as `job`. */
export function sightingOfState(
  { header, query }: Pick<StateBatch, 'header' | 'query'>,
  rule: Rule,
  row: StateRow,
  captures: Captures,
): Sighting {
  const said: Captures = { value: row.value, ...(row.entity === 'job' ? { job: row.name } : {}) };
  const observation: Observation = {
    instant: row.instant,
    source: header.source,
    origin: header.origin,
    stream: header.stream,
    node: row.node ?? (row.entity === 'node' ? row.name : header.node),
    rank: toIndex(captures['rank']),
    device: deviceOf(captures, null),
    text: row.text,
    reference:
      query === undefined
        ? { kind: 'file', path: header.stream, line: row.line }
        : { kind: 'query', query, stamp: String(row.stamp ?? row.instant.nanos ?? '') },
    captures: { ...said, ...captures },
  };
  return { rule, observation, meaning: null };
}

/** The sample at which a series first met a rule's condition; of a gauge of Xids the value is the code. */
export function sightingOfSample(
  { header, query }: Pick<SampleBatch, 'header' | 'query'>,
  rule: Rule,
  series: SampleSeries,
  at: number,
  lookup: CodeLookup,
): Sighting {
  const nanos = series.nanos[at] ?? 0n;
  // What a sample shows came about since the one before it.
  const plusMinus = at === 0 ? 0n : nanos - (series.nanos[at - 1] ?? nanos);
  const value = String(series.values[at] ?? Number.NaN);
  const { labels } = series;
  const captures: Captures = {
    value,
    ...(rule.catalogue === 'xid' ? { xid: value } : {}),
    ...(labels['gpu'] === undefined ? {} : { gpu: labels['gpu'] }),
    ...(labels['UUID'] === undefined ? {} : { uuid: labels['UUID'] }),
    ...(labels['device'] === undefined ? {} : { device: labels['device'] }),
    // The same address that the kernel writes about the device.
    ...(labels['pci_bus_id'] === undefined ? {} : { pci: normalizePci(labels['pci_bus_id']) }),
  };
  const observation: Observation = {
    instant: { nanos, plusMinus, basis: 'stamped', clock: header.source, tick: nanos },
    source: header.source,
    origin: header.origin,
    stream: header.stream,
    node: series.node ?? header.node,
    rank: null,
    device: deviceOf(captures, null),
    text: `${series.metric} ${value}`,
    reference: { kind: 'query', query, stamp: String(nanos) },
    captures,
  };
  return { rule, observation, meaning: lookup(rule.catalogue, captures) };
}
