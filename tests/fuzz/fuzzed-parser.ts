/** A parser of bytes from outside, as the fuzzing sees it. Its documents lie in the folder of its name in `corpus`. */
export interface FuzzedParser {
  readonly name: string;
  /** How documents are changed: as text, as the JSON or YAML value they hold, or as bytes. */
  readonly documents: 'text' | 'json' | 'yaml' | 'bytes';
  /**
   * Reads an input and says whether it came past the first step of parsing. Whatever it throws is a fault: the
   * parser's own way to say that an input is wrong is taken care of, and what the result owes to the input is checked.
   */
  run(input: Uint8Array): boolean | Promise<boolean>;
}

/** A parser of text: what is no UTF-8 comes as U+FFFD, as it does everywhere in the product. */
export function textParser(
  name: string,
  run: (text: string) => boolean,
  documents: 'text' | 'json' | 'yaml' = 'text',
): FuzzedParser {
  return { name, documents, run: input => run(Buffer.from(input).toString('utf8')) };
}

/** A reader of a value that came as JSON. What is no JSON is refused before it, and does not count as read. */
export function jsonReader(name: string, run: (value: unknown) => boolean): FuzzedParser {
  return {
    name,
    documents: 'json',
    run: input => {
      let value: unknown;
      try {
        value = JSON.parse(Buffer.from(input).toString('utf8'));
      } catch {
        return false;
      }
      return run(value);
    },
  };
}

/** Throws where a result does not keep what it owes to its input. */
export function owes(holds: boolean, what: string): void {
  if (!holds) throw new Error(`broken promise: ${what}`);
}
