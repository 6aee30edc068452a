import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placement, reasoningContext, symptom, traceback, xid } from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';
import { isPlacedByRank, placeRanks } from './place-ranks.ts';

const context = reasoningContext();

test('job text that names only a rank gets the node the rank ran on, and its GPU', () => {
  const placed = placement(7, 'node-02', { captures: { gpu: '3' } });
  const [, error] = placeRanks.run([placed, traceback(-5, { rank: 7 })], context);
  assert.equal(error?.node, 'node-02');
  assert.equal(error?.device?.index, 3);
  assert.ok(error !== undefined && isPlacedByRank(error));
});

test('lines that put one rank on two nodes prove nothing', () => {
  const symptoms = [placement(7, 'node-02'), placement(7, 'node-03'), traceback(-5, { rank: 7 })];
  assert.equal(placeRanks.run(symptoms, context)[2]?.node, null);
});

test('a line whose own host contradicts the placement of its rank loses its node', () => {
  const symptoms = [placement(7, 'node-02'), traceback(-5, { rank: 7, node: 'node-01' })];
  assert.equal(placeRanks.run(symptoms, context)[1]?.node, null);
});

test('a task is not a rank', () => {
  const task = placement(7, 'node-02', { rank: null, captures: { rank: 'x', task: '7' } });
  const [, byRank] = placeRanks.run([task, traceback(-5, { rank: 7 })], context);
  assert.equal(byRank?.node, null);
  const [, byTask] = placeRanks.run([task, traceback(-5, { captures: { task: '7' } })], context);
  assert.equal(byTask?.node, 'node-02');
});

test('a rank that nothing places is where the task ran whose output it stands in', () => {
  const task = placement(7, 'node-02', { rank: null, captures: { rank: 'x', task: '7' } });
  const labelled = traceback(-5, { rank: 3, captures: { task: '7' } });
  assert.equal(placeRanks.run([task, labelled], context)[1]?.node, 'node-02');
  assert.equal(placeRanks.run([task, placement(3, 'node-01'), labelled], context)[2]?.node, 'node-01');
  const other = traceback(-4, { rank: 3, captures: { task: '8' } });
  const both = { ...labelled, observations: [...labelled.observations, ...other.observations] };
  assert.equal(placeRanks.run([task, both], context)[1]?.node, null, 'a rank in the output of two tasks');
});

test('a communicator of some ranks counts them anew and places none of them', () => {
  const init = (rank: number, node: string, size: number, pid: number) =>
    placement(rank, node, {
      captures: { world_size: String(size), pid: String(pid) },
      stream: `job/init ${rank} ${node} ${size}`,
    });
  const error = traceback(-5, { rank: 1 });
  const whole = [init(0, 'node-01', 4, 10), init(1, 'node-01', 4, 11), init(2, 'node-02', 4, 10)];
  const across = [init(0, 'node-01', 2, 10), init(1, 'node-02', 2, 10)];
  const nodeOf = (symptoms: readonly Symptom[]) => placeRanks.run(symptoms, context).at(-1)?.node;
  assert.equal(nodeOf([...across, ...whole, error]), 'node-01');
  assert.equal(nodeOf([...whole, init(3, 'node-02', 4, 11), error]), 'node-01');
  const others = [init(0, 'node-01', 2, 11), init(1, 'node-02', 2, 11)];
  assert.equal(nodeOf([...across, ...others, error]), null, 'four processes in communicators of two');
  assert.equal(nodeOf([...across, traceback(-6, { rank: 2 }), error]), null, 'a third rank is known');
});

test('a launcher that lists tasks places each of them', () => {
  const listed = placement(16, 'node-02', {
    rank: null,
    captures: { rank: 'x', task: '16', ranks: '16-18,21' },
  });
  const of = (task: number) =>
    placeRanks.run([listed, traceback(-5, { captures: { task: String(task) } })], context)[1]?.node;
  assert.deepEqual([16, 18, 19, 21].map(of), ['node-02', 'node-02', null, 'node-02']);
});

test('a request for one node places its whole output', () => {
  const alone = reasoningContext({ nodes: ['node-01'] });
  assert.equal(placeRanks.run([traceback(-5)], alone)[0]?.node, 'node-01');
  const inferred = reasoningContext({ nodes: ['node-01'], scopeGiven: false });
  assert.equal(placeRanks.run([traceback(-5)], inferred)[0]?.node, null);
});

test('a request for one node places nothing where the job speaks of another node', () => {
  const alone = reasoningContext({ nodes: ['node-18'] });
  const nodeOf = (...symptoms: readonly Symptom[]) => placeRanks.run(symptoms, alone).at(-1)?.node;
  const said = (text: string) => nodeOf(traceback(-5, { rank: 3, text }));
  assert.equal(said('[rank3]: CUDA error: uncorrectable ECC error'), 'node-18');
  assert.equal(said('node-18: [rank3]: CUDA error'), 'node-18');
  assert.equal(said('node-18.cluster: [rank3]: CUDA error'), 'node-18');
  assert.equal(said('node-17: [rank3]: CUDA error'), null);
  assert.equal(said('trainer: [rank3]: CUDA error'), null, 'a label of a name of another form');
  assert.equal(said('*** STEP 7.0 ON node-17 CANCELLED AT 2026-11-30T12:03:41 ***'), null);
  assert.equal(said('connection closed by node-17.'), null);
  assert.equal(said('connection closed by peer-x'), 'node-18');
  const elsewhere = xid(79, 'storage-a', -5);
  assert.equal(nodeOf(elsewhere, traceback(-5, { text: 'no answer of storage-a' })), null);
  const task = placement(3, 'node-17', { rank: null, captures: { rank: 'x', task: '3' } });
  assert.equal(nodeOf(task, traceback(-5, { rank: 3 })), null, 'the job ran on another node as well');
  const ended = traceback(-4, { text: 'STEP 7.0 ON node-17 CANCELLED', captures: { job: '7' } });
  assert.equal(nodeOf(ended, traceback(-5, { rank: 3 })), null, 'the job ended on another node');
  assert.equal(nodeOf(placement(3, 'node-17'), traceback(-5, { rank: 3 })), 'node-17');
  assert.equal(nodeOf(placement(3, 'node-18'), traceback(-5, { rank: 3 })), 'node-18');
});

test('nothing but job text is placed', () => {
  const symptoms = [
    placement(7, 'node-02'),
    symptom({ symptom: 'x', rank: 7 }),
    xid(79, 'node-01', 0, { rank: 7 }),
  ];
  const [, lost, kernel] = placeRanks.run(symptoms, context);
  assert.equal(lost?.node, null);
  assert.equal(kernel?.node, 'node-01');
});
