import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchHeader } from '../../../tests/support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import type { BatchHeader, StateRow } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import { second } from '../../core/time.ts';
import type { Corpus } from '../corpus/corpus.ts';
import type { CorpusFile } from '../corpus/load.ts';
import type { LineHit } from '../recognize/hit.ts';
import { type Gathering, gatheringsOver } from './gathering.ts';

const kernel = batchHeader({ origin: 'kernel', node: 'node-01' });
const silent = { host: null, pid: null, rank: null, task: null, gpu: null };

function at(seconds: number | null, clock = 'files:kernel/node-01.log#fine'): Instant {
  const nanos = seconds === null ? null : BigInt(seconds) * second;
  return { nanos, plusMinus: 0n, basis: 'stamped', clock, tick: nanos ?? 0n };
}

function hit(line: number, fields: Partial<LineHit> = {}): LineHit {
  return { rule: 0, line, text: `line ${line}`, captures: {}, instant: at(line), speaker: silent, ...fields };
}

function gatheringOf(fields: Record<string, unknown>, ...more: readonly CorpusFile[]): Gathering {
  const rule = ruleFile('a', { match: lineMatch({}), examples: anyExamples, ...fields });
  return gatheringsOver(corpusOf(rule, ...more))();
}

test('hits fold by node and device, keep the earliest five, and count all', () => {
  const gathering = gatheringOf({});
  const hits = [9, 8, 7, 6, 5, 4, 3].map(line => hit(line, { captures: { pci: '0000:b3:00' } }));
  gathering.addHits(kernel, [...hits, hit(20, { captures: { pci: '0000:b4:00' } })]);
  const [first, other, ...rest] = gathering.symptoms();
  assert.equal(rest.length, 0);
  assert.equal(first?.node, 'node-01');
  assert.equal(first?.device?.pci, '0000:b3:00');
  assert.equal(first?.count, 7);
  assert.equal(first?.first.tick, 3n * second);
  assert.equal(first?.last.tick, 9n * second);
  assert.deepEqual(
    first?.observations.map(({ text }) => text),
    ['line 3', 'line 4', 'line 5', 'line 6', 'line 7'],
  );
  assert.equal(other?.count, 1);
  assert.equal(first?.role, 'unknown');
  assert.equal(first?.reason, null);
});

test('ids follow the fold key and nothing else', () => {
  const idOf = (header: BatchHeader, one: LineHit) => {
    const gathering = gatheringOf({});
    gathering.addHits(header, [one]);
    return gathering.symptoms()[0]?.id;
  };
  assert.equal(idOf(kernel, hit(1)), idOf(kernel, hit(99)));
  assert.notEqual(idOf(kernel, hit(1)), idOf({ ...kernel, node: 'node-02' }, hit(1)));
  assert.notEqual(idOf(kernel, hit(1)), idOf({ ...kernel, origin: 'job' }, hit(1)));
});

test("a node is the stream's own, else what a scheduler says, else the host of the line", () => {
  const nodeOf = (header: Partial<BatchHeader>, captures: Record<string, string>, host: string | null) => {
    const gathering = gatheringOf({});
    gathering.addHits(batchHeader({ origin: 'job', ...header }), [
      hit(1, { captures, speaker: { ...silent, host } }),
    ]);
    return gathering.symptoms()[0]?.node;
  };
  assert.equal(nodeOf({ origin: 'kernel', node: 'node-01' }, { host: 'node-02' }, 'node-01'), 'node-01');
  assert.equal(nodeOf({ origin: 'scheduler' }, { node: 'node-02', host: 'head' }, 'head'), 'node-02');
  assert.equal(nodeOf({}, { node: 'node-02', peer: 'node-04' }, null), null);
  assert.equal(nodeOf({}, { node: 'node-02', host: 'node-05' }, 'node-03'), 'node-05');
  assert.equal(nodeOf({}, {}, 'node-03'), 'node-03');
});

test('without node hits fold by rank, without rank by stream', () => {
  const gathering = gatheringOf({});
  const job = batchHeader({ origin: 'job', stream: 'job/out.log' });
  gathering.addHits(job, [
    hit(1, { captures: { rank: '3' } }),
    hit(2, { speaker: { ...silent, rank: 3 } }),
    hit(3),
  ]);
  gathering.addHits({ ...job, stream: 'job/err.log' }, [hit(4, { captures: { rank: '3' } }), hit(5)]);
  assert.deepEqual(
    gathering.symptoms().map(({ rank, count }) => [rank, count]),
    [
      [3, 3],
      [null, 1],
      [null, 1],
    ],
  );
});

test('labelled tasks of one stream may run on different nodes and do not fold', () => {
  const gathering = gatheringOf({});
  const job = batchHeader({ origin: 'job', stream: 'job/out.log' });
  const said = (line: number, task: number) => hit(line, { speaker: { ...silent, task } });
  gathering.addHits(job, [said(1, 0), said(2, 8), said(3, 0)]);
  assert.deepEqual(
    gathering.symptoms().map(({ count, observations }) => [observations[0]?.captures['task'], count]),
    [
      ['0', 2],
      ['8', 1],
    ],
  );
});

test('a symptom of several ranks has none, a placement has each', () => {
  const ranks = [hit(1, { captures: { rank: '3' } }), hit(2, { captures: { rank: '4' } })];
  const victim = gatheringOf({});
  victim.addHits(kernel, ranks);
  assert.deepEqual(
    victim.symptoms().map(({ rank }) => rank),
    [null],
  );
  const placement = gatheringOf({ role: 'placement', blames: 'nobody', strength: 'S6' });
  placement.addHits(kernel, ranks);
  assert.deepEqual(
    placement.symptoms().map(({ rank }) => rank),
    [3, 4],
  );
});

test('what the prefix says of the writer is captured where the pattern does not say otherwise', () => {
  const gathering = gatheringOf({});
  const speaker = { host: 'node-07', pid: 11, rank: null, task: 5, gpu: 2 };
  gathering.addHits(batchHeader({ origin: 'job' }), [hit(1, { captures: { pid: '12' }, speaker })]);
  const [symptom] = gathering.symptoms();
  assert.deepEqual(symptom?.observations[0]?.captures, { host: 'node-07', pid: '12', task: '5', gpu: '2' });
  assert.deepEqual(symptom?.device, { pci: null, uuid: null, index: 2, name: null });
});

const xidCatalogue: CorpusFile = {
  path: 'catalogues/xid.yaml',
  text: JSON.stringify({
    title: 'Xid',
    references: ['x'],
    rows: [
      {
        code: '79',
        title: 'GPU has fallen off the bus',
        symptom: 'gpu-fallen-off-bus',
        category: 'pcie',
        blames: 'node',
        role: 'root',
        strength: 'S1',
        status: 'stable',
        inhibits: [{ symptoms: ['xid-45'], scope: 'device', within_seconds: 60 }],
      },
    ],
  }),
};
const xidRule = {
  catalogue: 'xid',
  match: lineMatch({ pattern: 'Xid (?P<xid>\\d+)' }),
  symptom: 'xid',
  strength: 'S4',
  status: 'test',
};

test("a catalogue row speaks in place of the rule, and unlisted codes keep the rule's words", () => {
  const gathering = gatheringOf(xidRule, xidCatalogue);
  gathering.addHits(kernel, [hit(1, { captures: { xid: '079' } }), hit(2, { captures: { xid: '999' } })]);
  const [listed, unlisted] = gathering.symptoms();
  assert.equal(listed?.code, 'xid-79');
  assert.equal(listed?.symptom, 'gpu-fallen-off-bus');
  assert.equal(listed?.strength, 'S1');
  assert.equal(listed?.status, 'stable');
  assert.equal(listed?.category, 'pcie');
  assert.deepEqual(listed?.inhibits[0]?.symptoms, ['xid-45']);
  assert.equal(unlisted?.code, 'xid-999');
  assert.equal(unlisted?.symptom, 'xid');
  assert.equal(unlisted?.strength, 'S4');
});

test('a flood of one code does not hide another', () => {
  const gathering = gatheringOf(xidRule, xidCatalogue);
  const flood = Array.from({ length: 1_500 }, (_, index) => hit(index + 1, { captures: { xid: '31' } }));
  gathering.addHits(kernel, [...flood, hit(1_501, { captures: { xid: '79' } })]);
  assert.deepEqual(
    gathering.symptoms().map(({ code, count, countIsAtLeast }) => [code, count, countIsAtLeast]),
    [
      ['xid-31', 1_000, true],
      ['xid-79', 1, false],
    ],
  );
  assert.deepEqual(gathering.skipFor({ ...kernel, sequence: 1 }), []);
});

test('a capped rule need not be looked for on that stream any more', () => {
  const gathering = gatheringOf({});
  gathering.addHits(
    kernel,
    Array.from({ length: 1_001 }, (_, index) => hit(index + 1)),
  );
  assert.deepEqual(gathering.skipFor({ ...kernel, sequence: 1 }), [0]);
  assert.deepEqual(gathering.skipFor({ ...kernel, stream: 'other', sequence: 1 }), []);
});

test('a count condition decides whether there is a symptom', () => {
  const count = { at_least: 3, within_seconds: 10, by: 'device' };
  const counted = (hits: readonly LineHit[]) => {
    const gathering = gatheringOf({ count });
    gathering.addHits(kernel, hits);
    return gathering.symptoms().map(({ device, count: seen }) => [device?.pci ?? null, seen]);
  };
  const on = (line: number, pci: string) => hit(line, { captures: { pci } });
  assert.deepEqual(counted([on(1, 'a'), on(5, 'a')]), []);
  assert.deepEqual(counted([on(1, 'a'), on(6, 'a'), on(12, 'a')]), []);
  assert.deepEqual(counted([on(1, 'a'), on(30, 'a'), on(35, 'a'), on(40, 'a')]), [['a', 4]]);
  assert.deepEqual(counted([on(1, 'a'), on(2, 'b'), on(3, 'a'), on(4, 'b'), on(5, 'b')]), [['b', 3]]);
  const undated = (clock: string) =>
    [1, 2, 3].map(line => hit(line, { instant: { ...at(null, clock), tick: BigInt(line) } }));
  assert.deepEqual(counted(undated('files:a#boot')), [[null, 3]]);
  assert.deepEqual(counted(undated('files:a#lines')), []);
});

test('of a rule that keeps ends, each stream keeps its own, and the latest are never dropped', () => {
  const gathering = gatheringOf({ keep: 'ends' });
  for (let stream = 0; stream < 6; stream += 1) {
    const header = { ...kernel, stream: `job/${stream}.log` };
    gathering.addHits(header, [hit(stream + 1)]);
    gathering.addHits({ ...header, sequence: 1 }, [hit(stream + 50), hit(stream + 100)]);
  }
  const [symptom] = gathering.symptoms();
  assert.equal(symptom?.count, 12);
  assert.equal(symptom?.countIsAtLeast, true);
  assert.deepEqual(
    symptom?.observations.map(({ text }) => text),
    ['line 1', 'line 2', 'line 103', 'line 104', 'line 105'],
  );
});

test('beyond the limit victims merge by rule and keep the last of each rank', () => {
  const victim = ruleFile('victim', {
    blames: 'nobody',
    role: 'victim',
    strength: 'S5',
    match: lineMatch({ pattern: 'x' }),
    examples: anyExamples,
  });
  const corpus: Corpus = corpusOf(ruleFile('root', { match: lineMatch({}), examples: anyExamples }), victim);
  const gathering = gatheringsOver(corpus, 3)();
  const job = batchHeader({ origin: 'job' });
  for (let rank = 0; rank < 4; rank += 1) {
    const captures = { rank: String(rank) };
    gathering.addHits({ ...job, stream: `job/${rank}.log` }, [
      hit(rank + 1, { captures, rule: 0 }),
      hit(rank + 10, { captures, rule: 1 }),
      hit(rank + 20, { captures: { ...captures, sequence: String(rank) }, rule: 1 }),
    ]);
  }
  const symptoms = gathering.symptoms();
  assert.deepEqual(
    symptoms.map(({ rule, count }) => [rule, count]),
    [...Array(4).fill(['root', 1]), ['victim', 8]],
  );
  const merged = symptoms.at(-1);
  assert.equal(merged?.rank, null);
  assert.deepEqual(
    merged?.observations.map(({ rank, captures }) => [rank, captures['sequence']]),
    [
      [0, '0'],
      [1, '1'],
      [2, '2'],
      [3, '3'],
    ],
  );
});

test('states are judged by whole words or by pattern', () => {
  const state = (fields: Record<string, unknown>) => ({
    match: { state: { entity: 'node', field: 'state', ...fields } },
  });
  const row = (value: string, entity: StateRow['entity'] = 'node'): StateRow => ({
    entity,
    name: 'node-03',
    node: null,
    field: 'State',
    value,
    instant: at(1),
    line: 4,
    text: `State=${value}`,
  });
  const seen = (fields: Record<string, unknown>, ...rows: readonly StateRow[]) => {
    const gathering = gatheringOf({ ...state(fields) });
    gathering.addStates({ kind: 'states', header: batchHeader({ origin: 'scheduler' }), rows });
    return gathering.symptoms();
  };
  const [down] = seen({ values: ['down'] }, row('DOWN*+DRAIN'));
  assert.equal(down?.node, 'node-03');
  assert.equal(down?.observations[0]?.captures['value'], 'DOWN*+DRAIN');
  assert.deepEqual(down?.observations[0]?.reference, { kind: 'file', path: 'kernel/node-01.log', line: 4 });
  assert.equal(seen({ values: ['down'] }, row('DOWNTOWN')).length, 0);
  assert.equal(seen({ values: ['down'] }, row('DOWN', 'job')).length, 0);
  assert.equal(seen({ values: ['kill task failed'] }, row('Kill task failed [root@now]')).length, 1);
  assert.equal(
    seen({ pattern: 'DOWN(?P<status>.*)' }, row('DOWN*'))[0]?.observations[0]?.captures['status'],
    '*',
  );
});

test('samples are judged over all nodes once symptoms are asked for', () => {
  const match = { sample: { metrics: ['clock'], away_from_median_by: 300 } };
  const gathering = gatheringOf({ match });
  for (const [node, value] of [
    ['node-01', 1980],
    ['node-02', 1975],
    ['node-03', 1200],
  ] as const) {
    gathering.addSamples({
      kind: 'samples',
      header: batchHeader({ origin: 'exporter', node: null }),
      query: 'clock{}',
      series: [{ metric: 'clock', labels: { gpu: '0' }, node, nanos: [5n], values: [value] }],
    });
  }
  const [symptom, ...rest] = gathering.symptoms();
  assert.equal(rest.length, 0);
  assert.equal(symptom?.node, 'node-03');
  assert.deepEqual(symptom?.observations[0]?.reference, { kind: 'query', query: 'clock{}', stamp: '5' });
});

test('the value of a gauge of Xids is a code of the catalogue', () => {
  const match = { sample: { metrics: ['xid'], changed: true, to: [79] } };
  const gathering = gatheringOf({ ...xidRule, match }, xidCatalogue);
  gathering.addSamples({
    kind: 'samples',
    header: batchHeader({ origin: 'exporter', node: null }),
    query: 'xid{}',
    series: [
      { metric: 'xid', labels: { gpu: '3' }, node: 'node-03', nanos: [1n, 2n, 3n], values: [0, 79, 45] },
    ],
  });
  const [symptom] = gathering.symptoms();
  assert.equal(symptom?.code, 'xid-79');
  assert.equal(symptom?.strength, 'S1');
  assert.equal(symptom?.observations[0]?.text, 'xid 79');
  assert.equal(symptom?.first.plusMinus, 1n, 'it came about since the sample before');
});

test('a series that was picked out is judged by the median of all that the source knows', () => {
  const gathering = gatheringOf({ match: { sample: { metrics: ['clock'], away_from_median_by: 300 } } });
  for (const [node, value] of [
    ['node-02', 1975],
    ['node-03', 1200],
  ] as const) {
    gathering.addSamples({
      kind: 'samples',
      header: batchHeader({ origin: 'exporter', node: null }),
      query: 'clock{}',
      series: [{ metric: 'clock', labels: { gpu: '0' }, node, nanos: [5n], values: [value] }],
      centre: 1980,
    });
  }
  assert.deepEqual(
    gathering.symptoms().map(({ node }) => node),
    ['node-03'],
  );
});

test('a sample speaks of the device by the address that the kernel writes', () => {
  const gathering = gatheringOf({ match: { sample: { metrics: ['xid'], changed: true } } });
  gathering.addSamples({
    kind: 'samples',
    header: batchHeader({ origin: 'exporter', node: null }),
    query: 'xid{}',
    series: [
      {
        metric: 'xid',
        labels: { gpu: '3', pci_bus_id: '00000000:B3:00.0' },
        node: 'node-01',
        nanos: [5n, 6n],
        values: [0, 79],
      },
    ],
  });
  const [symptom] = gathering.symptoms();
  assert.equal(symptom?.device?.pci, '0000:b3:00');
  assert.equal(symptom?.device?.index, 3);
});
