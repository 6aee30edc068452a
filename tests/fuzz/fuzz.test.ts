import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { corpusFolders, corpusOf } from './corpus.ts';
import { fuzzedParsers } from './fuzzed-parsers.ts';
import { createFuzzer } from './fuzzer.ts';
import { inputsOf } from './inputs.ts';

/** The whole of it, a million runs a parser, is `make fuzz`. */
const runs = 20_000;
const seed = 1;

test('every parser has a corpus, and every corpus a parser', () => {
  assert.deepEqual(fuzzedParsers.map(({ name }) => name).sort(), corpusFolders());
});

test('a run can be repeated without those before it', () => {
  for (const parser of fuzzedParsers) {
    const [once, again] = [1, 1].map(() => inputsOf(parser, corpusOf(parser.name), seed));
    assert.deepEqual(once?.(12_345), again?.(12_345), parser.name);
  }
});

describe('every valid document is read past the first step', () => {
  for (const parser of fuzzedParsers) {
    test(parser.name, async () => {
      const { valid } = corpusOf(parser.name);
      assert.ok(valid.length > 0, 'it has no valid document');
      for (const { name, bytes } of valid) assert.ok(await parser.run(bytes), name);
    });
  }
});

describe('no mutation of a valid document brings down or holds up its parser', () => {
  const fuzzer = createFuzzer();
  after(fuzzer.close);
  for (const { name } of fuzzedParsers) {
    test(name, async context => {
      const result = await fuzzer.fuzz(name, { seed, from: 0, runs });
      const share = result.reached / result.runs;
      context.diagnostic(
        `seed ${seed}: ${result.reached} of ${result.runs} came past the first step of parsing`,
      );
      assert.deepEqual(result.faults, []);
      assert.ok(share >= 0.5, `only ${result.reached} of ${result.runs} inputs came past the first step`);
    });
  }
});
