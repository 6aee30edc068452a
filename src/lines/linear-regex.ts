import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';

/** Programs above this size are refused: a pattern is to recognise one line, not to be a grammar. */
export const maxInstructions = 500;

/** Longer ones are not even compiled: no line needs them, and compiling takes its time. */
const maxLength = 8_192;

export interface PatternMatch {
  /** UTF-16 offsets of the whole match in the text. */
  readonly index: number;
  readonly end: number;
  /** Named groups that took part in the match. */
  readonly groups: Readonly<Record<string, string>>;
}

/** A compiled pattern: linear in the text whatever the text holds. Unanchored; `.` stops at a line end. */
export interface LinearPattern {
  readonly source: string;
  readonly ignoreCase: boolean;
  /** Size of the compiled program. */
  readonly instructions: number;
  readonly groupNames: readonly string[];
  test(text: string): boolean;
  exec(text: string): PatternMatch | null;
}

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  readonly maxInstructions?: number;
}

/** `offset` is where in the source the mistake stands, null where only the whole is at fault. */
export type CompiledPattern =
  | { readonly ok: true; readonly pattern: LinearPattern }
  | { readonly ok: false; readonly message: string; readonly offset: number | null };

/**
 * Compiles RE2 syntax; named groups are `(?P<name>...)` or `(?<name>...)`. Lookaround, backreferences and programs
 * over the limit are refused, since none of them can be matched in linear time or within the corpus' budget.
 */
export function compilePattern(source: string, options: PatternOptions = {}): CompiledPattern {
  const refused = source.length > maxLength ? tooLong(source) : findUnsupported(source);
  if (refused !== null) return { ok: false, ...refused };
  const ignoreCase = options.ignoreCase ?? false;
  try {
    const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const limit = options.maxInstructions ?? maxInstructions;
    const instructions = compiled.programSize();
    if (instructions > limit) {
      return {
        ok: false,
        message: `pattern compiles to ${instructions} instructions, more than the limit of ${limit}: shorten it or lower its repeat counts`,
        offset: null,
      };
    }
    return { ok: true, pattern: patternOf(compiled, source, ignoreCase) };
  } catch (error) {
    if (error instanceof RE2JSException) return { ok: false, ...describe(error, source) };
    throw error;
  }
}

function patternOf(compiled: RE2JS, source: string, ignoreCase: boolean): LinearPattern {
  const program = compiled.re2();
  const groups = Object.entries(compiled.namedGroups());
  return {
    source,
    ignoreCase,
    instructions: compiled.programSize(),
    groupNames: groups.map(([name]) => name),
    test: text => compiled.test(text),
    exec(text) {
      // The automaton without captures is several times faster, and most lines that a keyword chose do not match.
      if (!compiled.test(text)) return null;
      const bounds: readonly number[] | null = program.findSubmatchIndex(text);
      if (bounds === null) return null;
      const found: Record<string, string> = {};
      for (const [name, number] of groups) {
        const from = bounds[2 * number] ?? -1;
        if (from >= 0) found[name] = text.slice(from, bounds[2 * number + 1]);
      }
      return { index: bounds[0] ?? 0, end: bounds[1] ?? 0, groups: found };
    },
  };
}

interface Refusal {
  readonly message: string;
  readonly offset: number | null;
}

function tooLong({ length }: string): Refusal {
  return {
    message: `pattern has ${length} characters, more than ${maxLength}: split it into rules`,
    offset: null,
  };
}

/** What to do about mistakes that the engine only names. */
const remedies: readonly (readonly [string, string])[] = [
  ['invalid repeat count', 'lower it: 1000 is the most, and counts within counts multiply'],
  ['expression nests too deeply', 'take out brackets'],
  ['expression too large', 'shorten it or lower its repeat counts'],
  ['missing closing )', 'close the bracket, or write \\( for the character'],
  ['unexpected )', 'open the bracket, or write \\) for the character'],
  ['missing closing ]', 'close the class, or write \\[ for the character'],
  ['missing argument to repetition operator', 'write a backslash before it for the character'],
];

const unsupported: readonly (readonly [string, string])[] = [
  ['(?=', 'lookahead (?=...) is not supported: match the text itself, or use a further line of `then`'],
  ['(?!', 'negative lookahead (?!...) is not supported: narrow the pattern, or inhibit with another rule'],
  ['(?<=', 'lookbehind (?<=...) is not supported: match the text itself and capture the part you need'],
  ['(?<!', 'negative lookbehind (?<!...) is not supported: narrow the pattern, or inhibit with another rule'],
  ['(?>', 'atomic groups (?>...) are not supported and not needed: matching is linear'],
  ['(?P=', 'backreferences are not supported: capture both places and let `same` compare them'],
];

const backreference = 'backreferences are not supported: capture both places and let `same` compare them';

/** The engine's own messages do not say that these are excluded on purpose, nor what to do instead. */
function findUnsupported(source: string): Refusal | null {
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') {
      if (/[1-9k]/.test(source[at + 1] ?? '')) return { message: backreference, offset: at };
      at = escapeEnd(source, at);
    } else if (character === '[') {
      at = classEnd(source, at);
    } else if (character === '(') {
      const found = unsupported.find(([opening]) => source.startsWith(opening, at));
      if (found !== undefined) return { message: found[1], offset: at };
    }
  }
  return null;
}

/** Offset of the last character of the escape at `at`; `\Q` reaches to its `\E`. */
function escapeEnd(source: string, at: number): number {
  if (source[at + 1] !== 'Q') return at + 1;
  const end = source.indexOf('\\E', at + 2);
  return end < 0 ? source.length : end + 1;
}

/** Offset of the bracket that closes the class opened at `open`: one in the first place is a member, not the end. */
function classEnd(source: string, open: number): number {
  let at = open + (source[open + 1] === '^' ? 2 : 1);
  if (source[at] === ']') at += 1;
  while (at < source.length && source[at] !== ']') {
    if (source[at] === '\\') at = escapeEnd(source, at) + 1;
    else if (source.startsWith('[:', at)) at = Math.max(source.indexOf(':]', at) + 2, at + 1);
    else at += 1;
  }
  return at;
}

const mostQuoted = 60;

function describe(error: RE2JSException, source: string): Refusal {
  if (!(error instanceof RE2JSSyntaxException)) return { message: error.message, offset: null };
  const fragment = error.getPattern();
  const at = fragment === null || fragment === '' ? -1 : source.indexOf(fragment);
  const unique = at >= 0 && fragment !== source && source.indexOf(fragment ?? '', at + 1) < 0;
  const said = error.getDescription();
  const named = fragment === null ? said : `${said}: ${fragment.slice(0, mostQuoted)}`;
  const remedy = remedies.find(([mistake]) => said.startsWith(mistake))?.[1];
  return { message: remedy === undefined ? named : `${named} (${remedy})`, offset: unique ? at : null };
}
