import { readYaml } from '../config/read-yaml.ts';
import { type ErrorCategory, errorCategories, errorTypes } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import { asList, asObject, asText, Malformed, type Place, within, wordOf } from '../providers/read-fields.ts';

/** What a case expects of the answer. */
export interface Expected {
  readonly targets: readonly { readonly type: 'Node' | 'AllJobResources'; readonly node?: string }[];
  readonly categories: readonly string[];
  readonly error: string | null;
  readonly mustNotName: readonly { readonly node: string; readonly because: string }[];
  readonly consequences: readonly Consequence[];
}

/** A symptom that, where it is seen beside one of its causes, must be told as the consequence of one of them. */
export interface Consequence {
  /** By its symptom's name, its code or its rule. */
  readonly symptom: string;
  /** Absent: wherever it was seen. */
  readonly node?: string;
  /** The same of its causes. */
  readonly of: readonly string[];
}

export interface CaseVariant {
  readonly name: string;
  readonly substitute: Readonly<Record<string, string>>;
}

export interface CaseAbout {
  readonly title: string | null;
  /** Nanoseconds UTC. */
  readonly now: bigint;
  readonly variants: readonly CaseVariant[];
}

/** Reads `case.yaml`. Throws StartupError naming the file and every place that is wrong. */
export function readCaseAbout(path: string, text: string): CaseAbout {
  const read = readYaml(text);
  if (!read.ok) {
    throw new StartupError(
      read.mistakes.map(({ line, column, says }) => `${path}:${line}:${column}: ${says}`).join('\n'),
    );
  }
  return reading(path, () => {
    const fields = asObject(within(read.value, 'case'));
    const title = fields('title');
    return {
      title: title.value === undefined ? null : asText(title),
      now: momentOf(fields('now')),
      variants: asList(fields('variants'), variantOf),
    };
  });
}

/** Reads `expected.json`. Throws StartupError naming the file and the place that is wrong. */
export function readCaseExpected(path: string, text: string): Expected {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StartupError(`${path}: is no JSON: ${(error as Error).message}`);
  }
  return reading(path, () => {
    const fields = asObject(within(value, 'expected'));
    const error = fields('error');
    return {
      targets: asList(fields('targets'), targetOf, 'required'),
      categories: asList(fields('categories'), (item): ErrorCategory => wordOf(item, errorCategories)),
      error: error.value === undefined || error.value === null ? null : wordOf(error, errorTypes),
      mustNotName: asList(fields('must_not_name'), item => {
        const own = asObject(item);
        return { node: asText(own('node')), because: asText(own('because')) };
      }),
      consequences: asList(fields('consequences'), consequenceOf),
    };
  });
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new StartupError(`${path}: ${error.message}: cases/README.md tells what a case holds`);
  }
}

function momentOf(place: Place): bigint {
  const written = typeof place.value === 'string' ? place.value : '';
  const ms = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new Malformed(place, 'is no time with its offset: write one such as "2026-03-02T10:14:33Z"');
  }
  return BigInt(ms) * 1_000_000n;
}

function variantOf(place: Place): CaseVariant {
  const fields = asObject(place);
  const substitute = fields('substitute');
  asObject(substitute);
  const words = Object.entries(substitute.value as Readonly<Record<string, unknown>>).map(
    ([word, value]) => [word, asText(within(value, `${substitute.name}.${word}`))] as const,
  );
  return { name: asText(fields('name')), substitute: Object.fromEntries(words) };
}

function targetOf(place: Place): Expected['targets'][number] {
  const fields = asObject(place);
  const type = wordOf(fields('type'), ['Node', 'AllJobResources']);
  return type === 'Node' ? { type, node: asText(fields('node')) } : { type };
}

function consequenceOf(place: Place): Consequence {
  const fields = asObject(place);
  const node = fields('node');
  return {
    symptom: asText(fields('symptom')),
    ...(node.value === undefined ? {} : { node: asText(node) }),
    of: asList(fields('of'), asText, 'required'),
  };
}
