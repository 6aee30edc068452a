import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { coverage, placement, symptom, watchdog, xid } from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';
import { lateRanksName } from './late-ranks.ts';

const nodes = ['node-01', 'node-02', 'node-03', 'node-04'];
const ranks = Array.from({ length: 16 }, (_, rank) => rank);
/** Four ranks a node, of a job of 16. */
const placed = ranks.map(rank => placement(rank, nodes[rank >> 2] ?? '', { captures: { world_size: '16' } }));
/** Rank 9 is the first to say that it waited. */
const waits = (rank: number, captures: Readonly<Record<string, string>> = {}): Symptom =>
  watchdog(rank, rank === 9 ? -6 : -4, { captures });
const waiting = (...but: readonly number[]): readonly Symptom[] =>
  ranks.filter(rank => !but.includes(rank)).map(rank => waits(rank));

/** What an answer says of late ranks, and the nodes it leaves open. */
function late(symptoms: readonly Symptom[], spec: Parameters<typeof answer>[1] = {}) {
  const result = answer([...placed, ...symptoms], { nodes, ...spec });
  const said = result.symptoms.flatMap(({ reason }) => (reason?.pass === lateRanksName ? [reason.text] : []));
  return { ...result, said };
}

test('who says nothing where nearly all others waited is told with its node, and named by nobody', () => {
  const { targets, told, said } = late(waiting(5, 6));
  assert.deepEqual(targets, []);
  assert.deepEqual(told, ['node-02']);
  assert.deepEqual(said, ['ranks 5-6 on node-02 did not arrive at work 42, as 14 others did: said nothing']);
});

test('the first to report is one that waited', () => {
  const { symptoms } = late(waiting(5));
  const telling = symptoms.find(({ reason }) => reason?.pass === lateRanksName);
  assert.equal(telling?.rank, 9);
});

test('who enqueued less than the others wait for holds them up', () => {
  const status = (rank: number, last_enqueued: string, last_completed: string): Symptom =>
    symptom({
      symptom: 'collective-timeout',
      rank,
      at: -3,
      origin: 'job',
      strength: 'S5',
      blames: 'nobody',
      ruleRole: 'victim',
      category: 'collective_timeout',
      captures: { group: '0', last_enqueued, last_completed },
    });
  const numbers = ranks.map(rank => (rank === 12 ? status(rank, '41', '41') : status(rank, '44', '41')));
  const { told, said } = late([...waiting(12), ...numbers]);
  assert.deepEqual(told, ['node-04']);
  assert.deepEqual(said, [
    'rank 12 on node-04 did not arrive at work 42, as 15 others did: had not enqueued it',
  ]);
});

test('who still waits for an earlier work than most holds them up', () => {
  const { told, said } = late([...waiting(3), waits(3, { sequence: '41' })]);
  assert.deepEqual(told, ['node-01']);
  assert.match(said[0] ?? '', /^rank 3 on node-01 .*had not completed the one before$/);
});

test('where the fewer are ahead, the others are not late', () => {
  assert.deepEqual(late([waits(3, { sequence: '43' }), ...waiting(3)]).said, []);
});

test('numbers of two groups are not compared', () => {
  const other = waits(3, { sequence: '7', group: '3' });
  assert.deepEqual(late([...waiting(3), { ...other, id: 'other' }]).told, []);
});

test('many silent ranks were killed before they spoke', () => {
  assert.deepEqual(late(waiting(0, 1, 2, 5, 6, 9)).said, []);
  assert.deepEqual(late(waiting(0, 5, 10)).told, [], 'on three nodes');
});

test('a whole node may be silent, of two as well', () => {
  assert.deepEqual(late(waiting(4, 5, 6, 7)).told, ['node-02']);
});

test('nobody is silent where lines were left out or reading was cut', () => {
  const [first, ...rest] = waiting(5);
  const counted = first === undefined ? [] : [{ ...first, countIsAtLeast: true }];
  assert.deepEqual(late([...counted, ...rest]).said, []);
  const cut = [coverage('kernel', 'node-[01-04]'), coverage('job', 'node-[01-04]', 'truncated')];
  assert.deepEqual(late(waiting(5), { coverage: cut }).said, []);
});

test('without their places ranks are told, and no node', () => {
  const alone = answer(waiting(5), { nodes, ranks });
  assert.deepEqual(alone.told, []);
  assert.ok(alone.symptoms.some(({ reason }) => reason?.text.startsWith('rank 5 did not arrive') === true));
});

test('hardware that is named explains who was late, and others that waited for it support that', () => {
  const { targets, told, findings } = late([...waiting(5), xid(79, 'node-02', -604)]);
  assert.deepEqual(targets, ['node-02']);
  assert.deepEqual(told, []);
  assert.ok(
    findings[0]?.evidence.some(({ message }) => message.startsWith('rank 5 on node-02 did not arrive')),
  );
  const elsewhere = late([...waiting(5), xid(79, 'node-03', -604)]);
  assert.deepEqual(elsewhere.targets, ['node-03']);
  assert.deepEqual(elsewhere.told, []);
});
