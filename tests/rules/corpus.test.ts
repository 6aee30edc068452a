import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCorpus } from '../../src/engine/corpus/check.ts';
import { coverOf, maxCoverBytes, minCoverBytes } from '../../src/engine/corpus/cover.ts';
import { corpusOf, shippedRuleFiles } from '../support/rule-files.ts';

const corpus = corpusOf(...shippedRuleFiles());

test('every example of every shipped rule matches it, and nothing undeclared', () => {
  const problems = checkCorpus(corpus).map(({ file, line, message }) => `${file}:${line}: ${message}`);
  assert.deepEqual(problems, []);
});

test('rules exist for every family of failures', () => {
  const families = new Set(corpus.rules.map(({ id }) => id.slice(0, id.indexOf('/'))));
  const wanted = [
    'application',
    'boot',
    'checkpoint',
    'container',
    'cuda',
    'gpu',
    'health',
    'kernel',
    'launcher',
    'maintenance',
    'memory',
    'nccl',
    'network',
    'noise',
    'nvlink',
    'pcie',
    'placement',
    'power',
    'progress',
    'slurm',
    'storage-local',
    'storage-shared',
    'torch',
  ];
  assert.deepEqual([...families].sort(), wanted);
});

test('the catalogues are whole', () => {
  const { xid, sxid, nvlink } = corpus.catalogues;
  const numbers = new Set(xid.map(row => row.code));
  for (let number = 1; number <= 176; number += 1) assert.ok(numbers.has(`xid-${number}`), `xid-${number}`);
  assert.equal(xid.length, 176);
  assert.equal(sxid.length, 97);
  assert.equal(nvlink.length, 94);
});

test('what a server may filter by fits its limit and is telling', () => {
  for (const [origin, parts] of Object.entries(coverOf(corpus))) {
    assert.ok(parts.reduce((bytes, part) => bytes + part.length, 0) <= maxCoverBytes, origin);
    assert.deepEqual(
      parts.filter(part => part.length < minCoverBytes),
      [],
      origin,
    );
  }
});

test('examples name no machine, address or person of anybody', () => {
  const address = /\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b/g;
  for (const { id, matches, nearMisses } of corpus.rules) {
    for (const { text } of [...matches, ...nearMisses]) {
      for (const [found] of text.matchAll(address)) assert.match(found, /^10\.0\.0\./, `${id}: ${found}`);
      for (const [, number] of text.matchAll(/\bnode-(\w+)/g)) assert.match(number ?? '', /^[0-9]+/, id);
    }
  }
});
