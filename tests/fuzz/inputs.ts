import { parse as parseYaml } from 'yaml';
import type { ParserCorpus } from './corpus.ts';
import type { FuzzedParser } from './fuzzed-parser.ts';
import { mutateBytes } from './mutate/bytes.ts';
import { mutateJson } from './mutate/json.ts';
import { mutateText } from './mutate/text.ts';
import { type Random, randomOf } from './random.ts';

/** The input of a run, the same whenever it is asked for: found faults as they are, then mutations of valid documents. */
export type Inputs = (run: number) => Uint8Array;

/** Of JSON documents so many are also changed as text, so that what is almost JSON is met as well. */
const brokenShare = 0.15;
/** YAML is changed as the text it is so often, else as the value it holds, written as JSON, which is YAML too. */
const textShare = 0.5;
/** A library reads YAML, slowly: its inputs are shorter. */
const mostYaml = 2_048;

export function inputsOf({ name, documents }: FuzzedParser, corpus: ParserCorpus, seed: number): Inputs {
  const kept = [...corpus.faults, ...corpus.valid];
  const mutate = mutationOf(documents, corpus.valid);
  return run => kept[run]?.bytes ?? mutate(randomOf(seed, name, run));
}

function mutationOf(
  documents: FuzzedParser['documents'],
  valid: ParserCorpus['valid'],
): (random: Random) => Uint8Array {
  const bytes = valid.map(input => input.bytes);
  if (documents === 'bytes') {
    return random => mutateBytes(draw(bytes, random), draw(bytes, random), random);
  }
  const texts = bytes.map(each => Buffer.from(each).toString('utf8'));
  if (documents === 'text') {
    return random => Buffer.from(mutateText(draw(texts, random), draw(texts, random), random));
  }
  const values = texts.map((text): unknown => (documents === 'yaml' ? parseYaml(text) : JSON.parse(text)));
  return random => {
    if (documents === 'yaml' && random.chance(textShare)) {
      return Buffer.from(mutateText(draw(texts, random), draw(texts, random), random, mostYaml));
    }
    const text = mutateJson(draw(values, random), draw(values, random), random);
    return Buffer.from(random.chance(brokenShare) ? mutateText(text, draw(texts, random), random) : text);
  };
}

function draw<T>(items: readonly T[], random: Random): T {
  const [first, ...more] = items;
  if (first === undefined) throw new Error('a parser has no valid document in its corpus');
  return random.pick([first, ...more]);
}
