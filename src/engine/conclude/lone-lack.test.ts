import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import { reasoningContext, symptom } from '../../../tests/support/symptoms.ts';
import type { Symptom } from '../../core/symptom.ts';
import { loneLack } from './lone-lack.ts';

const misses = (rank: number, node: string | null, rest: { readonly symptom?: string } = {}): Symptom =>
  symptom({
    symptom: 'missing-module',
    node,
    rank,
    at: -5,
    origin: 'job',
    strength: 'S3',
    blames: 'job',
    category: 'application_error',
    ...rest,
  });
const task = (label: string): Symptom => ({
  ...misses(0, 'node-02'),
  id: label,
  role: 'initiating',
  observations: misses(0, 'node-02').observations.map(seen => ({
    ...seen,
    rank: null,
    captures: { task: label },
  })),
});
const four = { nodes: ['node-01', 'node-02', 'node-03', 'node-04'] };

test('what several ranks of one node miss, that node lacks', () => {
  const { targets, categories } = answer([misses(8, 'node-02'), misses(9, 'node-02')], four);
  assert.deepEqual(targets, ['node-02']);
  assert.deepEqual(categories, ['node_configuration']);
});

test('tasks count where lines tell no rank, each once', () => {
  const blamed = (...labels: readonly string[]) =>
    loneLack
      .run({ symptoms: labels.map(task), job: null }, reasoningContext(four))
      .symptoms.map(({ blames }) => blames);
  assert.deepEqual(blamed('8', '9'), ['node', 'node']);
  assert.deepEqual(blamed('8'), ['job']);
});

test('it is the job where another node misses it too, or a rank whose node nobody knows', () => {
  assert.deepEqual(answer([misses(8, 'node-02'), misses(9, 'node-02'), misses(0, 'node-01')], four).targets, [
    'job',
  ]);
  assert.deepEqual(answer([misses(8, 'node-02'), misses(9, 'node-02'), misses(3, null)], four).targets, [
    'job',
  ]);
});

test('one rank, or one of two nodes, is not enough', () => {
  assert.deepEqual(answer([misses(8, 'node-02')], four).targets, ['job']);
  const two = { nodes: ['node-01', 'node-02'] };
  assert.deepEqual(answer([misses(8, 'node-02'), misses(9, 'node-02')], two).targets, ['job']);
});

test('other errors of the program stay the job, whoever prints them', () => {
  const lookup = { symptom: 'lookup-error' };
  assert.deepEqual(answer([misses(8, 'node-02', lookup), misses(9, 'node-02', lookup)], four).targets, ['job']);
});
