import type { Random } from '../random.ts';
import { editCount } from './bytes.ts';
import { mutateText } from './text.ts';

/** Numbers and words as they are written, since not every number that can be written can be held. */
const raw = /"\uE000([^"\uE000]*)\uE000"/g;
const written = (text: string): string => `\uE000${text}\uE000`;

const strange: readonly [unknown, ...unknown[]] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  2 ** 53,
  written('1e308'),
  written('1e999'),
  written('-0'),
  written('123456789012345678901234567890'),
  written('1.0'),
  '',
  ' ',
  '0',
  '99999999999999999999',
  '\u0000',
  '\ud800',
  '🙂',
  '2026-02-30T00:00:00Z',
  '__proto__',
  'constructor',
  [],
  [[]],
  {},
  { length: 3 },
  [null],
];

const strangeNames = ['__proto__', 'constructor', 'toString', 'length', '', '0', 'é', 'set', 'number'] as const;

/**
 * The text of a JSON value changed at one to eight of its places: still JSON, and mostly still the document it was.
 * Places are values at any depth, with the members and items around them.
 */
export function mutateJson(value: unknown, other: unknown, random: Random): string {
  let result = structuredClone(value);
  for (let edits = editCount(random); edits > 0; edits -= 1) result = edit(result, other, random);
  return (JSON.stringify(result, null, random.chance(0.2) ? 1 : 0) ?? 'null').replaceAll(raw, '$1');
}

/** As JSON.parse does it: the name `__proto__` is a member like others. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

type Node = Record<string, unknown> | unknown[];

/** Changes one place below `root`, chosen so that deep places are met as often as there are more of them. */
function edit(root: unknown, other: unknown, random: Random): unknown {
  const places = placesOf(root);
  if (places.length === 0 || random.chance(0.02)) return changed(root, other, random);
  const { node, key } = places[random.below(places.length)] ?? { node: [], key: 0 };
  const values = node as Record<string | number, unknown>;
  switch (random.below(8)) {
    case 0:
      if (Array.isArray(node)) node.splice(Number(key), 1);
      else delete values[key];
      break;
    case 1:
      if (Array.isArray(node)) node.splice(Number(key), 0, structuredClone(values[key]));
      else setMember(node, random.pick(strangeNames), structuredClone(values[key]));
      break;
    case 2: {
      const from = placesOf(other);
      const place = from[random.below(from.length)];
      values[key] = structuredClone(place === undefined ? other : (place.node as typeof values)[place.key]);
      break;
    }
    default:
      values[key] = changed(values[key], other, random);
  }
  return root;
}

function changed(value: unknown, other: unknown, random: Random): unknown {
  if (typeof value === 'string' && random.chance(0.6)) {
    return mutateText(value, typeof other === 'string' ? other : value, random);
  }
  if (typeof value === 'number' && random.chance(0.5)) {
    return random.pick<unknown>([
      -value,
      value + 1,
      value * 1000,
      value / 3,
      String(value),
      written(`${value}e9`),
    ]);
  }
  if (Array.isArray(value) && random.chance(0.3)) return [...value, ...value].toReversed();
  if (random.chance(0.1)) return nested(value, 1 + random.below(random.chance(0.1) ? 1_500 : 20));
  return structuredClone(random.pick(strange));
}

function nested(value: unknown, depth: number): unknown {
  let result = value;
  for (let level = 0; level < depth; level += 1) result = level % 2 === 0 ? [result] : { a: result };
  return result;
}

interface PlaceInJson {
  readonly node: Node;
  readonly key: string | number;
}

function placesOf(root: unknown): readonly PlaceInJson[] {
  const places: PlaceInJson[] = [];
  const waiting: unknown[] = [root];
  for (let node = waiting.pop(); node !== undefined && places.length < 2_000; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      places.push({ node: node as Node, key });
      if (value !== null && typeof value === 'object') waiting.push(value);
    }
  }
  return places;
}
