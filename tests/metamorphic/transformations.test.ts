import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomOf } from '../../bench/incidents/random.ts';
import { addNoise } from '../support/metamorphic/add-noise.ts';
import { changeZone, fixedZones } from '../support/metamorphic/change-zone.ts';
import { withoutEachNode, withoutEachSource } from '../support/metamorphic/drop-evidence.ts';
import { duplicateLines } from '../support/metamorphic/duplicate-lines.ts';
import { otherNames, renameHosts } from '../support/metamorphic/rename-hosts.ts';
import { skewClock } from '../support/metamorphic/skew-clock.ts';

const year = 2026;
const kernel = (line: string) => new Map([['evidence/kernel/node-01.log', `${line}\n`]]);
const only = (text: ReadonlyMap<string, string>): string => [...text.values()].join('').trimEnd();

test('stamps of every shape move with a clock, and keep their shape', () => {
  const shapes = [
    ['[Sat Feb 28 23:58:00 2026] x', '[Sun Mar  1 00:03:00 2026] x'],
    ['2026-02-28T23:58:00,123456+00:00 x', '2026-03-01T00:03:00,123456+00:00 x'],
    [
      '2026-02-28T23:58:00.000001+00:00 node-01 kernel: x',
      '2026-03-01T00:03:00.000001+00:00 node-01 kernel: x',
    ],
    [
      '<4>1 2026-02-28T23:58:00.5Z node-01 kernel - - - x',
      '<4>1 2026-03-01T00:03:00.5Z node-01 kernel - - - x',
    ],
    ['Feb 28 23:58:00 node-01 kernel: [  12.000001] x', 'Mar  1 00:03:00 node-01 kernel: [  12.000001] x'],
    ['[   12.000001] x', '[  312.000001] x'],
    ['{"__REALTIME_TIMESTAMP":"1772323080000000"}', '{"__REALTIME_TIMESTAMP":"1772323380000000"}'],
    ['I0228 23:58:00.000000 7 a.py:1] x', 'I0301 00:03:00.000000 7 a.py:1] x'],
    ['  4d | 02/28/2026 | 23:58:00 | Fan | x', '  4d | 03/01/2026 | 00:03:00 | Fan | x'],
    ['[rank1]:[E228 23:58:00.5 a.cpp:1] x', '[rank1]:[E301 00:03:00.5 a.cpp:1] x'],
  ] as const;
  for (const [before, after] of shapes) {
    assert.equal(only(skewClock(kernel(before), 'node-01', 300, year)), after);
    assert.equal(only(skewClock(kernel(after), 'node-01', -300, year)), before);
    assert.equal(only(skewClock(kernel(before), 'node-02', 300, year)), before, 'of another node');
  }
});

test('of the output of a job only lines that bear the name of the node have its clock', () => {
  const job = (line: string) => new Map([['evidence/job/train.out', line]]);
  const moved = (line: string) => only(skewClock(job(line), 'node-01', 300, year)) !== line;
  assert.ok(moved('3: node-01:71:80 [3] 2026-03-02 10:00:00 NCCL WARN x'));
  assert.ok(moved('node-01: 2026-03-02 10:00:00 x'));
  assert.ok(!moved('node-02: 2026-03-02 10:00:00 node-01: x'));
  assert.ok(!moved(' [2026-03-02 10:00:00] iteration 1'));
});

test('what says its zone says the new one, and shows the time there as what says none does', () => {
  const [kathmandu] = fixedZones;
  assert.ok(kathmandu !== undefined);
  const moved = (line: string) => only(changeZone(kernel(line), kathmandu, year));
  assert.equal(moved('2026-03-02T22:00:00,1+00:00 x'), '2026-03-03T03:45:00,1+05:45 x');
  assert.equal(moved('[Mon Mar  2 22:00:00 2026] x'), '[Tue Mar  3 03:45:00 2026] x');
  assert.equal(moved('[   12.000001] x'), '[   12.000001] x');
  const request = new Map([['request.json', '{"detected_at": "2026-03-02T22:00:00Z"}']]);
  assert.equal(only(changeZone(request, kathmandu, year)), '{"detected_at": "2026-03-03T03:45:00+05:45"}');
});

test('hosts are renamed in lists and names of files as well', () => {
  const text = new Map([
    ['evidence/scheduler/sacct.txt', '7|node-[01-02,04]|'],
    ['evidence/kernel/node-02.log', 'node-02 kernel: x'],
  ]);
  const names = otherNames(text);
  const of = (name: string): string => names.get(name) ?? '';
  assert.deepEqual([...names.keys()], ['node-01', 'node-02', 'node-04']);
  assert.equal(new Set(names.values()).size, 3);
  assert.deepEqual(
    [...renameHosts(text, names)],
    [
      ['evidence/scheduler/sacct.txt', `7|${of('node-01')},${of('node-02')},${of('node-04')}|`],
      [`evidence/kernel/${of('node-02')}.log`, `${of('node-02')} kernel: x`],
    ],
  );
});

test('noise is nine lines for one, written like its neighbours, and parts no message', () => {
  const lines = [
    'Mar  2 10:00:00 node-01 kernel: [1.0] a',
    'Mar  2 10:00:09 node-01 kernel: [10.0] b',
    'Mar  2 10:00:09 node-01 kernel: [10.0] c',
  ];
  const noisy = only(addNoise(kernel(lines.join('\n')), randomOf('1'))).split('\n');
  assert.equal(noisy.length, 30);
  assert.deepEqual(
    noisy.filter(line => lines.includes(line)),
    lines,
  );
  assert.equal(noisy.indexOf(lines[2] ?? ''), noisy.indexOf(lines[1] ?? '') + 1);
  assert.ok(noisy.every(line => line.startsWith('Mar  2 10:00:0') && line.includes(' node-01 ')));
});

test('tables and documents are not written twice', () => {
  const text = new Map([
    ['evidence/scheduler/sacct.txt', 'JobID|State\n'],
    ['evidence/epilog/node-01.log', '{\n  "status": "Pass"\n}\n'],
    ['evidence/kernel/node-01.log', 'a\nb\n'],
  ]);
  assert.deepEqual(
    [...duplicateLines(text).values()],
    ['JobID|State\n', '{\n  "status": "Pass"\n}\n', 'a\na\nb\nb\n'],
  );
});

test('each source and each node is left out in turn, of the late evidence too', () => {
  const paths = [
    'request.json',
    'evidence/kernel/node-01.log',
    'slow/evidence/epilog/node-01.log',
    'evidence/scheduler/sacct.txt',
  ];
  const text = new Map(paths.map(path => [path, 'x']));
  const left = (all: ReturnType<typeof withoutEachNode>) =>
    all.map(({ name, text: kept }) => [name, kept.size]);
  assert.deepEqual(left(withoutEachNode(text)), [['the logs of node-01', 2]]);
  assert.deepEqual(left(withoutEachSource(text)), [
    ['kernel/', 3],
    ['epilog/', 3],
    ['scheduler/', 3],
    ['scheduler/sacct.txt', 3],
  ]);
});
