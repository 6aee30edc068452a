import assert from 'node:assert/strict';
import { test } from 'node:test';
import { incidentsOf } from '../../bench/incidents/generate.ts';
import type { Incident } from '../../bench/incidents/incident.ts';
import { kernelShapes } from '../../bench/incidents/kernel-shapes.ts';
import { oneOf1024, printedKernelLines } from '../../bench/incidents/special.ts';

const incidents = [...incidentsOf('a-test')];
const ofKind = (kind: string): readonly Incident[] => incidents.filter(({ truth }) => truth.kind === kind);
const share = (list: readonly Incident[], good: (incident: Incident) => boolean): number =>
  list.filter(good).length / list.length;

test('a seed holds what an evaluation needs of each kind', () => {
  assert.ok(incidents.length >= 300);
  assert.ok(ofKind('job').length >= 100);
  assert.ok(ofKind('unknowable').length >= 50);
  assert.ok(ofKind('shared').filter(({ nodes }) => nodes > 16).length >= 20);
});

test('every family of node faults is large enough to be judged by itself', () => {
  const families = Map.groupBy(ofKind('node'), ({ truth }) => truth.family);
  assert.ok(families.size >= 18);
  for (const [family, list] of families) assert.ok(list.length >= 10, family);
});

test('jobs have 2 to 4,096 nodes, and most are small', () => {
  const sizes = incidents.map(({ nodes }) => nodes);
  assert.equal(Math.min(...sizes), 2);
  assert.equal(Math.max(...sizes), 4096);
  assert.ok(share(incidents, ({ nodes }) => nodes <= 16) > 0.7);
});

test('at least four of ten hold a decoy on a node that is not at fault', () => {
  assert.ok(share(incidents, ({ truth }) => truth.decoys.length > 0) >= 0.4);
  for (const { truth, id } of incidents) {
    for (const decoy of truth.decoys) assert.notEqual(decoy.node, truth.node, id);
  }
});

test('in about three of ten node faults the kernel log of the node is missing, and in those it is', () => {
  const faults = ofKind('node');
  const missing = faults.filter(({ truth }) => truth.culpritLogMissing);
  assert.ok(missing.length / faults.length >= 0.25 && missing.length / faults.length <= 0.4);
  for (const { files, truth, id } of missing) {
    const own = [...files.keys()].filter(path => path.startsWith(`kernel/${truth.node}.`));
    assert.deepEqual(own, [], id);
    const central = files.get('kernel/all.log') ?? '';
    assert.ok(!central.includes(` ${truth.node} `), id);
  }
});

test('the same seed gives the same incidents, another seed others', () => {
  const first = JSON.stringify(incidents.slice(1, 40).map(plain));
  const again: Incident[] = [];
  for (const incident of incidentsOf('a-test')) {
    if (again.push(incident) === 40) break;
  }
  assert.equal(JSON.stringify(again.slice(1).map(plain)), first);
  const [other] = incidentsOf('b-test');
  assert.notEqual(other?.request.workload_id, incidents[0]?.request.workload_id);
});

function plain({ id, request, files, truth }: Incident): unknown {
  return { id, request, files: [...files], truth };
}

test('the faulty node belongs to the job, and what it left tells something', () => {
  for (const { truth, request, files, slow, id } of ofKind('node')) {
    assert.ok(truth.node !== null && request.scope.nodes.includes(truth.node), id);
    const texts = [...files, ...(slow?.files ?? [])].filter(([path]) => !path.startsWith('job/'));
    const named = texts.some(
      ([path, text]) => path.includes(truth.node ?? '') || text.includes(truth.node ?? ''),
    );
    const printed = [...files].some(
      ([path, text]) => path.startsWith('job/') && text.includes(truth.node ?? ''),
    );
    assert.ok(named || printed, id);
  }
});

test('what only the epilog proves comes with a second request', () => {
  const late = incidents.filter(({ truth }) => truth.provenLate);
  assert.ok(late.length > 5);
  for (const { slow, truth, id } of late) {
    assert.equal(slow?.request.phase, 'slow', id);
    assert.ok(
      [...(slow?.files.keys() ?? [])].some(path => path === `epilog/${truth.node}.log`),
      id,
    );
  }
});

test('nodes are called as in no real cluster, and nobody real appears', () => {
  for (const { request, id } of incidents.slice(0, 100)) {
    for (const node of request.scope.nodes.slice(0, 4)) {
      assert.match(node, /^(node-?|gpu-|cn-a-|r\d+n|ip-10-)[\d-]*\d(\.train\.example)?$/, id);
    }
  }
});

test('one bad node of 1,024: every other node logs a removed channel and a time-out', () => {
  const { lines, truth, nodes, request } = oneOf1024('a-test');
  assert.equal(nodes, 1024);
  const channels = new Set(lines.filter(line => /Xid .*: 45,/.test(line.text)).map(line => line.node));
  const waiting = new Set(lines.filter(line => line.text.includes('Watchdog caught')).map(line => line.node));
  for (const node of request.scope.nodes.filter(name => name !== truth.node)) {
    assert.ok(channels.has(node) && waiting.has(node), node);
  }
});

test('kernel-shaped lines are printed in fifty different ways', () => {
  const printed = [...printedKernelLines('a-test')];
  assert.equal(printed.length, 50);
  for (const shape of kernelShapes) {
    const [head = ''] = shape.split(/\{|\n/);
    const inText = printed.filter(({ lines }) => lines.some(line => line.text.includes(head)));
    assert.ok(inText.length >= 2, shape);
  }
});
