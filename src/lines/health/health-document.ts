import { membersOf, wordOf } from '../json-value.ts';

/** One thing a health check reports about one device or check, in the words of the tool that ran it. */
export interface CheckResult {
  /** The test, component or check. */
  readonly check: string;
  /** The field that state rules look at: the name of the tool, or `verdict`. */
  readonly field: string;
  /** The tool's own rating in words that rules match, then what it says: `isolate memory fail GPU 3: ...`. */
  readonly value: string;
  /** Text of the document by which the place of this result is found. */
  readonly said: string;
  /** When the tool looked, as its document writes it. */
  readonly time: string | null;
}

export interface HealthReport {
  /** Every name of a node that the document says it is about; transport is believed before them. */
  readonly nodes: readonly string[];
  /** What is worth a rule's look: passes without a warning and what was skipped are left out. */
  readonly results: readonly CheckResult[];
}

/** A JSON document that a health check prints. Each has a file and a test of its own. */
export interface HealthDocument {
  readonly name: string;
  /** Texts of which every such document contains one: what a server may filter entries by. */
  readonly markers: readonly string[];
  /** Null where a value is no such document; members that are missing or strange are passed over. */
  parse(value: unknown): HealthReport | null;
}

const longestSaid = 1000;

/** Members that name a node, in lower case and without `_`; the last only where no other does. */
const naming = ['node', 'nodename', 'hostname', 'host', 'machine', 'machinename'];
const numbering = ['nodeid'];

/** Members that hold what an object says of itself. */
const describing = ['metadata', 'meta', 'labels'];

/** The names that an object gives its node: as texts, or as objects that have a name. */
export function nodesNamed(value: unknown): readonly string[] {
  const own = membersOf(value);
  const members = [own, ...describing.map(name => membersOf(own[name]))].flatMap(each => Object.entries(each));
  const under = (names: readonly string[]): readonly string[] =>
    members.flatMap(([key, named]) => {
      if (!names.includes(key.toLowerCase().replace(/[_-]/g, ''))) return [];
      const { name, hostname } = membersOf(named);
      return wordOf(named) ?? wordOf(name) ?? wordOf(hostname) ?? [];
    });
  const named = under(naming);
  return named.length > 0 ? named : under(numbering);
}

/** What a tool says, on one line and of bounded length. */
export function oneLine(text: string): string {
  return text
    .slice(0, longestSaid)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
