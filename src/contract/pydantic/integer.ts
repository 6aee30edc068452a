import { maxIntegerDigits } from '../json/scan-number.ts';
import type { Json } from '../json/value.ts';
import type { Checked, Problem } from './problem.ts';
import { bad, belowMinimum, good, notAbove, problems } from './problem.ts';
import { trimWhiteSpace } from './white-space.ts';

export interface IntegerBounds {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

/** Floats strictly between are converted: pydantic goes through 64 bits. */
const floatLimit = 2 ** 63;

/** An integer as pydantic's lax mode reads it: booleans, whole floats and numeric strings count. */
export function checkInteger(value: Json, bounds: IntegerBounds): Checked<bigint> {
  const read = readInteger(value);
  if (!read.ok) return read;
  const problem = boundProblem(read.value, bounds);
  return problem === null ? read : bad(problem);
}

function readInteger(value: Json): Checked<bigint> {
  if (typeof value === 'bigint') return good(value);
  if (typeof value === 'boolean') return good(value ? 1n : 0n);
  if (typeof value === 'number') return readFloat(value);
  if (typeof value === 'string') return readText(value);
  return bad(problems.notAnInteger);
}

function readFloat(value: number): Checked<bigint> {
  if (!Number.isFinite(value)) return bad(problems.notFinite);
  if (!Number.isInteger(value)) return bad(problems.fractionalInteger);
  return Math.abs(value) < floatLimit ? good(BigInt(value)) : bad(problems.hugeInteger);
}

function readText(raw: string): Checked<bigint> {
  if (!raw.isWellFormed()) return bad(problems.notUnicode);
  const text = trimWhiteSpace(raw);
  const unsigned = text.startsWith('+') || text.startsWith('-') ? text.slice(1) : text;
  const [whole = '', ...fraction] = unsigned.split('.', 3);
  const groups = whole.split('_');
  const zeros = fraction.length === 0 || (fraction.length === 1 && consistsOf(fraction[0] ?? '', '0', '0'));
  if (!zeros || !groups.every(group => consistsOf(group, '0', '9'))) return bad(problems.unreadableInteger);
  const digits = withoutLeadingZeros(groups.join(''));
  if (digits.length > maxIntegerDigits) return bad(problems.hugeInteger);
  const magnitude = BigInt(digits);
  return good(text.startsWith('-') ? -magnitude : magnitude);
}

/** Whether a text is not empty and every character lies from `first` to `last`. */
function consistsOf(text: string, first: string, last: string): boolean {
  for (const character of text) if (character < first || character > last) return false;
  return text !== '';
}

function withoutLeadingZeros(digits: string): string {
  let at = 0;
  while (at < digits.length - 1 && digits.charAt(at) === '0') at += 1;
  return digits.slice(at);
}

function boundProblem(value: bigint, { minimum, exclusiveMinimum }: IntegerBounds): Problem | null {
  if (minimum !== undefined && value < BigInt(minimum)) return belowMinimum(BigInt(minimum));
  if (exclusiveMinimum !== undefined && value <= BigInt(exclusiveMinimum)) {
    return notAbove(BigInt(exclusiveMinimum));
  }
  return null;
}
