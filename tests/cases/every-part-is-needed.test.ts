import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { findNeeds, isAnswered } from '../support/find-needs.ts';
import { neededParts } from '../support/needed-parts.ts';

const corpus = await openCorpus();
const { needed, missing } = await findNeeds(corpus);
const hint =
  '`./with-node node tests/needs.ts [CASE...]` tells which parts no case needs, and what a case breaks without';

test('every stable rule, stable row and inhibition breaks a case when it is taken away', () => {
  assert.deepEqual(missing, [], `without a case; ${hint}`);
});

test('parts have names of their own', () => {
  const names = neededParts(corpus).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});

test('a case that breaks over what was recognised breaks when it is read anew', async () => {
  const parts = neededParts(corpus).filter(({ name }) => needed.has(name));
  const samples = parts.filter((_, at) => at % Math.ceil(parts.length / 6) === 0);
  assert.ok(samples.length > 0);
  for (const { name, removedFrom } of samples) {
    const which = needed.get(name);
    assert.ok(which !== undefined && (await isAnswered(corpus, which)), name);
    assert.ok(!(await isAnswered(removedFrom(corpus), which)), `${name} is not needed by ${which.name}`);
  }
});
