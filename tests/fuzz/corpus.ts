import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A document that a parser has been given before: valid, or one that a fault was found with. */
export interface CorpusInput {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ParserCorpus {
  readonly valid: readonly CorpusInput[];
  /** Found faults, kept so that they stay mended. */
  readonly faults: readonly CorpusInput[];
}

const folder = join(import.meta.dirname, 'corpus');

export function corpusFolders(): readonly string[] {
  return readdirSync(folder).sort();
}

/** The documents of a parser: those named `fault-*`, and all others. */
export function corpusOf(parser: string): ParserCorpus {
  const inputs = readdirSync(join(folder, parser))
    .sort()
    .map(name => ({ name, bytes: readFileSync(join(folder, parser, name)) }));
  const isFault = ({ name }: CorpusInput): boolean => name.startsWith('fault-');
  return { valid: inputs.filter(input => !isFault(input)), faults: inputs.filter(isFault) };
}
