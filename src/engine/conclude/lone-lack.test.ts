import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import {
  nodesNamed,
  placement,
  reasoningContext,
  type SymptomSpec,
  symptom,
} from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';
import { loneLack } from './lone-lack.ts';

const module = { value: "No module named 'flash_attn'" };
const misses = (rank: number, node: string | null, rest: Partial<SymptomSpec> = {}): Symptom =>
  symptom({
    symptom: 'missing-module',
    node,
    rank,
    at: -5,
    origin: 'job',
    strength: 'S3',
    blames: 'job',
    category: 'application_error',
    captures: module,
    ...rest,
  });

const heard = symptom({
  symptom: 'peer-lost',
  node: 'node-01',
  rank: 0,
  at: -1,
  origin: 'job',
  strength: 'S5',
  blames: 'nobody',
  ruleRole: 'victim',
});
/** Two ranks of a node, and a rank of another node that was heard. */
const known = [placement(2, 'node-02'), placement(3, 'node-02'), heard];
const targets = (symptoms: readonly Symptom[], nodes = 4) =>
  answer([...known, ...symptoms], { nodes: nodesNamed(nodes) }).targets;
const lacking = [misses(2, 'node-02'), misses(3, 'node-02')];

test('what the ranks of one node miss, that node lacks', () => {
  const { targets: named, categories } = answer([...known, ...lacking]);
  assert.deepEqual(named, ['node-02']);
  assert.deepEqual(categories, ['node_configuration']);
});

test('it is the job where another node misses it too, or a rank whose node nobody knows', () => {
  assert.deepEqual(targets([...lacking, misses(0, 'node-01')]), ['job']);
  assert.deepEqual(targets([...lacking, misses(7, null)]), ['job']);
});

test('one rank, few of many ranks, or one of two nodes is not enough', () => {
  assert.deepEqual(targets(lacking.slice(0, 1)), ['job']);
  const more = [20, 21, 22].map(rank => placement(rank, 'node-02'));
  assert.deepEqual(targets([...more, ...lacking]), ['job']);
  assert.deepEqual(targets(lacking, 2), ['job']);
});

test('where nothing tells how many ranks a node has, or no other rank was heard, it is the job', () => {
  assert.deepEqual(answer([heard, ...lacking]).targets, ['job']);
  assert.deepEqual(answer([...known.slice(0, 2), ...lacking]).targets, ['job']);
});

test('the ranks must miss the same, and nothing that may be the share of a few', () => {
  const other = { captures: { value: "No module named 'apex'" } };
  assert.deepEqual(targets([misses(2, 'node-02'), misses(3, 'node-02', other)]), ['job']);
  const file = (path: string) =>
    [2, 3].map(rank => misses(rank, 'node-02', { symptom: 'missing-file', captures: { path } }));
  assert.deepEqual(targets(file('/data/v2/tokens/index.json')), ['node-02']);
  assert.deepEqual(targets(file('/data/tokens/shard-0012.bin')), ['job']);
  assert.deepEqual(targets(file('/ckpt/iter_0001000/common.pt')), ['job']);
  assert.deepEqual(targets([misses(2, 'node-02', { captures: {} }), misses(3, 'node-02')]), ['job']);
});

test('other errors of the program stay the job, whoever prints them', () => {
  const lookup = { symptom: 'lookup-error' };
  assert.deepEqual(targets([misses(2, 'node-02', lookup), misses(3, 'node-02', lookup)]), ['job']);
});

test('tasks count where lines tell no rank, each once, and of many lines those not kept', () => {
  const blamed = (labels: readonly (string | null)[], count: number) => {
    const [seen] = misses(0, 'node-02').observations;
    const observations = labels.flatMap(task =>
      seen === undefined
        ? []
        : [{ ...seen, rank: null, captures: { ...module, ...(task === null ? {} : { task }) } }],
    );
    const folded = { ...misses(0, 'node-02'), rank: null, role: 'initiating' as const, observations, count };
    const tasks = Array.from({ length: 8 }, (_, task) =>
      placement(0, 'node-02', { rank: null, captures: { rank: 'x', task: String(task) } }),
    ).map((placed, at) => ({ ...placed, id: `placed ${at}` }));
    const symptoms = [...tasks, heard, folded];
    return loneLack.run({ symptoms, job: null }, reasoningContext()).symptoms.at(-1)?.blames;
  };
  assert.equal(blamed(['0', '1', '2', '3'], 4), 'node');
  assert.equal(blamed(['0', '1', '2'], 4), 'node');
  assert.equal(blamed(['0', '1', '2'], 3), 'job');
  assert.equal(blamed(['0', '1', '1', '1'], 8), 'job');
  assert.equal(blamed([null, null, null], 8), 'job');
});

test('a process left over on a node is seen by most of its ranks; one rank may see another process of the job', () => {
  const foreign = (rank: number, pid: string): Symptom =>
    misses(rank, 'node-02', {
      symptom: 'gpu-memory-foreign',
      blames: 'node',
      category: 'node_configuration',
      captures: { pid },
    });
  const left = [foreign(2, '4711'), foreign(3, '4711')];
  assert.deepEqual(targets(left), ['node-02']);
  assert.deepEqual(targets(left, 2), ['node-02']);
  assert.deepEqual(targets(left.slice(0, 1)), []);
  assert.deepEqual(targets([foreign(2, '4711'), foreign(3, '4712')]), []);
});

test('a full or read-only disk that the program alone tells of is of the node where most of its ranks tell', () => {
  for (const name of ['local-disk-full', 'local-disk-read-only']) {
    const told = (rank: number, node: string): Symptom =>
      misses(rank, node, {
        symptom: name,
        blames: 'node',
        category: 'storage_local',
        captures: { path: `/tmp/cache/${rank}.so` },
      });
    assert.deepEqual(targets([told(2, 'node-02'), told(3, 'node-02')]), ['node-02']);
    assert.deepEqual(targets([told(2, 'node-02')]), [], 'it may have filled its own share');
    assert.deepEqual(targets([told(2, 'node-02'), told(9, 'node-03')]), []);
    const many = [told(0, 'node-01'), told(2, 'node-02'), told(9, 'node-03')];
    assert.deepEqual(targets(many), ['job']);
    const checked = { ...told(2, 'node-02'), origin: 'health' as const };
    assert.deepEqual(targets([checked]), ['node-02'], 'another source than the program');
  }
});
