import type { Batch, SampleBatch } from '../../core/batch.ts';
import type { CoverageGroup, SourceCoverage } from '../../core/coverage.ts';
import type { Source } from '../../core/ports.ts';
import { compressHostList } from '../../lines/host-list.ts';
import { coverageGroup } from '../coverage.ts';
import { createHttpClient, type HttpTools } from '../http-client/http-client.ts';
import type { Trouble } from '../log-store/log-store.ts';
import { writeMatcher } from '../log-store/matchers.ts';
import { worse } from '../log-store/read-selection.ts';
import { groupsOf } from '../log-store/store-coverage.ts';
import { createPrometheusApi } from './api.ts';
import { type Choice, chooseNodes } from './choose.ts';
import { examinePrometheus } from './examine.ts';
import { type FamilyNodes, familiesOf, samplesByNode } from './family.ts';
import { judgeNodes } from './judge-nodes.ts';
import { nodesBefore } from './known-before.ts';
import { findNodes } from './presence.ts';
import { readSeries } from './read-series.ts';
import { type Reading, readingOf } from './reading.ts';
import { type Screened, screen } from './screen.ts';
import { servedNeeds } from './served-needs.ts';
import type { PrometheusSettings } from './settings.ts';

/** Samples of exporters, from Prometheus and what speaks its API. */
export function createPrometheusSource(settings: PrometheusSettings, tools: HttpTools): Source {
  const client = createHttpClient(settings.name, settings.http, tools);
  return {
    name: settings.name,
    origins: ['exporter'],
    async *collect(plan, signal) {
      const reading = readingOf(settings, createPrometheusApi(client), plan, tools, signal);
      return reading === null ? [] : [yield* collectSamples(reading)];
    },
    examine: (wants, signal) =>
      examinePrometheus(settings, createPrometheusApi(client), wants, tools.clock, signal),
    close: () => client.close(),
  };
}

/** What a reading counted. */
interface Counts {
  streams: number;
  samples: number;
}

async function* collectSamples(reading: Reading): AsyncGenerator<Batch, SourceCoverage, void> {
  const counts: Counts = { streams: 0, samples: 0 };
  const { nodes } = reading;
  if (nodes.length === 0) {
    // The whole cluster's metrics would show the faults of other jobs.
    return coverageOf(reading, counts, [
      coverageGroup('unknown', [], 'nobody told which nodes the job ran on'),
    ]);
  }
  if (reading.needs.length === 0) {
    return coverageOf(reading, counts, [coverageGroup('unknown', nodes, 'no rule looks at a metric')]);
  }
  const served = await servedNeeds(reading);
  if (!served.ok) {
    const { status, reason } = served.trouble;
    return coverageOf(reading, counts, [coverageGroup(status, nodes, reason)]);
  }
  const families = await findNodes(reading, familiesOf(served.value));
  remarkOnFamilies(reading, families);
  const screens = await Promise.all(
    families.flatMap(found =>
      found.label === null ? [] : found.family.needs.map(need => screen(reading, found, need)),
    ),
  );
  const choice = chooseNodes(screens, reading.settings.mostNodes);
  const unread = yield* readChosen(reading, choice, counts);
  remarkOnChoice(reading, screens, choice);
  const knownBefore = await nodesBefore(reading, families);
  return coverageOf(reading, counts, groupsOf(judgeNodes({ nodes, families, screens, unread, knownBefore })));
}

/** Reads what was chosen, metric by metric, within the budget of samples. */
async function* readChosen(
  reading: Reading,
  { chosen, left }: Choice,
  counts: Counts,
): AsyncGenerator<SampleBatch, ReadonlyMap<string, Trouble>, void> {
  const { mostNodes, mostSamples } = reading.settings;
  const unread = new Map<string, Trouble>();
  const note = (node: string, trouble: Trouble): void => {
    unread.set(node, worse(unread.get(node) ?? null, trouble) ?? trouble);
  };
  const tooMany = `series of more than ${mostNodes} nodes stand out (mostNodes)`;
  for (const node of left) note(node, { status: 'truncated', reason: tooMany, tooMuch: null });
  const reads = chosen.map(each => readSeries(reading, each));
  for (const [index, read] of reads.entries()) {
    const { batches, samples, troubles } = await read;
    for (const [node, trouble] of troubles) note(node, trouble);
    if (counts.samples + samples > mostSamples) {
      const reason = 'there are more samples than may be read (mostSamples)';
      for (const node of chosen[index]?.nodes ?? []) note(node, { status: 'truncated', reason, tooMuch: null });
      continue;
    }
    counts.samples += samples;
    counts.streams += batches.reduce((sum, { series }) => sum + series.length, 0);
    yield* batches;
  }
  return unread;
}

function remarkOnFamilies({ nodes, remarks }: Reading, families: readonly FamilyNodes[]): void {
  for (const found of families) {
    const { family, label, stopped, trouble } = found;
    const name = family.prefix === 'up' ? 'up' : `${family.prefix}_ metrics`;
    if (trouble !== null) continue;
    if (label === null) {
      remarks.add(`${name}: no label names a node of the job: set nodeLabel`);
      continue;
    }
    const samples = samplesByNode(found);
    const without = nodes.filter(node => !samples.has(node));
    if (without.length > 0) remarks.add(`${name}: no sample of ${compressHostList(without)}`);
    if (stopped.length > 0) {
      remarks.add(
        `${name}: ${compressHostList(stopped)} had none any more at the window's end, while others had`,
      );
    }
  }
}

function remarkOnChoice({ settings, remarks }: Reading, screens: readonly Screened[], { left }: Choice): void {
  for (const { need, cut } of screens) {
    if (cut)
      remarks.add(`${need.metric}: more than ${settings.mostNodes} nodes stand out; the furthest were read`);
  }
  if (left.length > 0) remarks.add(`${left.length} further nodes stand out and were not read (mostNodes)`);
}

function coverageOf(reading: Reading, counts: Counts, groups: readonly CoverageGroup[]): SourceCoverage {
  const { settings, window, needs, api, remarks } = reading;
  const metrics = new Set(needs.map(({ metric }) => metric)).size;
  return {
    source: settings.name,
    origin: 'exporter',
    window,
    query: `${metrics} metrics${settings.matchers.length === 0 ? '' : ` of {${settings.matchers.map(writeMatcher).join(',')}}`}`,
    filter: 'series that may meet the condition of a rule',
    streams: counts.streams,
    lines: counts.samples,
    bytes: api.bytes(),
    groups,
    notYet: null,
    remarks: [...remarks].sort(),
  };
}
