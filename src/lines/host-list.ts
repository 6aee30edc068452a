/** Names in the order written, each once; or what is wrong with the text. */
export type ExpandedHosts =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** A literal part of a name, or the numbers that one bracket stands for. */
type Part = { readonly literal: string } | { readonly ranges: readonly Range[]; readonly count: number };

interface Range {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Beyond this many digits a number is not exact. */
const maxDigits = 15;
const reserved = /[[\],\s\p{Cc}]/gu;

/** What a step of parsing found, or a sentence on what is wrong. */
type Parsed<T> = { readonly value: T } | { readonly wrong: string };

/**
 * Expands Slurm's host lists (`node-[01-03,7],gpu[1-2]r[1-4]`): numeric ranges, padded to the width of their lower
 * end. Refuses more than `limit` names before writing any, since a few bytes can stand for billions.
 */
export function expandHostList(text: string, limit: number): ExpandedHosts {
  const items = splitItems(text);
  if ('wrong' in items) return { ok: false, message: items.wrong };
  const parsed: (readonly Part[])[] = [];
  let total = 0;
  for (const item of items.value) {
    const parts = parseItem(item);
    if ('wrong' in parts) return { ok: false, message: `${parts.wrong} in the host list` };
    parsed.push(parts.value);
    total += countOf(parts.value);
  }
  if (total > limit) {
    return { ok: false, message: `the host list stands for ${total} names, more than the limit of ${limit}` };
  }
  return { ok: true, names: [...new Set(parsed.flatMap(expandItem))] };
}

function countOf(parts: readonly Part[]): number {
  return parts.reduce((product, part) => ('count' in part ? product * part.count : product), 1);
}

function splitItems(text: string): Parsed<readonly string[]> {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at];
    if (character === '[') depth += 1;
    else if (character === ']') depth -= 1;
    if (depth > 1 || depth < 0) return { wrong: `unexpected '${character}' at offset ${at} of the host list` };
    if (character === undefined && depth > 0) return { wrong: 'the host list ends inside a bracket' };
    if (character === undefined || (character === ',' && depth === 0)) {
      const item = text.slice(from, at).trim();
      if (item !== '') items.push(item);
      from = at + 1;
    }
  }
  return { value: items };
}

function parseItem(item: string): Parsed<readonly Part[]> {
  const parts: Part[] = [];
  let at = 0;
  while (at < item.length) {
    const open = item.indexOf('[', at);
    const literal = item.slice(at, open < 0 ? item.length : open);
    if (/[\s\p{Cc}]/u.test(literal)) return { wrong: `white space inside the name '${item}'` };
    if (literal !== '') parts.push({ literal });
    if (open < 0) break;
    const close = item.indexOf(']', open);
    const ranges: Range[] = [];
    for (const text of item.slice(open + 1, close).split(',')) {
      const range = parseRange(text);
      if ('wrong' in range) return range;
      ranges.push(range.value);
    }
    parts.push({ ranges, count: ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0) });
    at = close + 1;
  }
  return { value: parts };
}

function parseRange(text: string): Parsed<Range> {
  const match = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(text);
  const lower = match?.[1];
  if (lower === undefined) return { wrong: `'${text}' is neither a number nor a range such as 01-16` };
  const from = Number(lower);
  const to = Number(match?.[2] ?? lower);
  if (to < from) return { wrong: `the range '${text}' runs backwards` };
  return { value: { from, to, width: lower.length } };
}

function expandItem(parts: readonly Part[]): readonly string[] {
  let names = [''];
  for (const part of parts) {
    if ('literal' in part) {
      names = names.map(name => name + part.literal);
      continue;
    }
    const numbers: string[] = [];
    for (const { from, to, width } of part.ranges) {
      for (let number = from; number <= to; number += 1) numbers.push(String(number).padStart(width, '0'));
    }
    names = names.flatMap(name => numbers.map(number => name + number));
  }
  return names;
}

/** A set of names with one shape: literals with fields between them, each field a number or a bracket. */
interface Family {
  readonly literals: readonly string[];
  readonly fields: readonly string[];
}

/**
 * The shortest host list this folding finds, the same for the same set of names in any order. Characters that a host
 * list cannot carry (brackets, commas, white space) are written as `?`.
 */
export function compressHostList(names: readonly string[]): string {
  const unique = new Set(names.map(name => name.replace(reserved, '?')).filter(name => name !== ''));
  let families = [...unique].sort().map(familyOf);
  const most = families.reduce((most, { fields }) => Math.max(most, fields.length), 0);
  // From the last field to the first, so that `rack[1-2]n[01-04]` folds after its nodes did.
  for (let fromEnd = 1; fromEnd <= most; fromEnd += 1) families = foldField(families, fromEnd);
  return families.map(writeFamily).sort().join(',');
}

/** Names with more numbers than this (addresses, hashes) keep the first ones literal. */
const maxFields = 6;

function familyOf(name: string): Family {
  const pieces = name.split(/(\d+)/);
  const literals: string[] = [];
  const fields: string[] = [];
  let literal = '';
  const spare = Math.max(0, (pieces.length - 1) / 2 - maxFields);
  pieces.forEach((piece, at) => {
    if (at % 2 === 0 || piece.length > maxDigits || (at - 1) / 2 < spare) {
      literal += piece;
    } else {
      literals.push(literal);
      fields.push(piece);
      literal = '';
    }
  });
  literals.push(literal);
  return { literals, fields };
}

function foldField(families: readonly Family[], fromEnd: number): Family[] {
  const groups = new Map<string, { readonly family: Family; readonly numbers: string[] }>();
  const folded: Family[] = [];
  for (const family of families) {
    const at = family.fields.length - fromEnd;
    const number = family.fields[at];
    if (number === undefined) {
      folded.push(family);
      continue;
    }
    const key = writeFamily({ ...family, fields: family.fields.with(at, '[]') });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { family, numbers: [number] });
    else group.numbers.push(number);
  }
  for (const { family, numbers } of groups.values()) {
    const at = family.fields.length - fromEnd;
    folded.push({ ...family, fields: family.fields.with(at, writeNumbers(numbers)) });
  }
  return folded;
}

function writeFamily({ literals, fields }: Family): string {
  return literals.map((literal, at) => literal + (fields[at] ?? '')).join('');
}

function writeNumbers(numbers: readonly string[]): string {
  if (numbers.length === 1) return numbers[0] ?? '';
  const sorted = numbers.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const ranges: string[] = [];
  let first = '';
  let last = '';
  const close = (): void => {
    if (first !== '') ranges.push(first === last ? first : `${first}-${last}`);
  };
  for (const number of sorted) {
    // A range writes every number at the width of its lower end, so only such a number continues it.
    const continues = first !== '' && String(Number(last) + 1).padStart(first.length, '0') === number;
    if (!continues) {
      close();
      first = number;
    }
    last = number;
  }
  close();
  return `[${ranges.join(',')}]`;
}
