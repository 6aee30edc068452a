import type { Random } from '../random.ts';

/** The longest input that a mutation makes; what it was made of may be longer. */
export const mostBytes = 16 * 1024;

/** A copy with one to eight bytes or stretches of it changed, seldom more than one. */
export function mutateBytes(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let result: Uint8Array = Uint8Array.from(bytes);
  for (let edits = editCount(random); edits > 0; edits -= 1) result = edit(result, other, random);
  return result.length > Math.max(mostBytes, bytes.length) ? result.subarray(0, mostBytes) : result;
}

/** One edit most of the time: few edits keep a document close enough to a valid one to be read on. */
export function editCount(random: Random): number {
  if (random.chance(0.6)) return 1;
  return random.chance(0.7) ? 2 : 3 + random.below(6);
}

function edit(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length);
  const length = 1 + random.below(Math.min(64, bytes.length - at));
  switch (random.below(8)) {
    case 0:
      return changed(bytes, at, byte => byte ^ (1 << random.below(8)));
    case 1:
      return changed(bytes, at, () => random.below(256));
    case 2:
      return changed(bytes, at, () => random.pick([0, 0xff, 0x7f, 0x80, 0x0a, 0x20]));
    case 3:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length));
    case 4:
      return joined(bytes.subarray(0, at + length), bytes.subarray(at));
    case 5:
      return bytes.subarray(0, at);
    case 6:
      return joined(bytes.subarray(0, at), other.subarray(random.below(other.length)));
    default:
      return joined(bytes.subarray(0, at), new Uint8Array(length).fill(random.below(256)), bytes.subarray(at));
  }
}

function changed(bytes: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const byte = copy[at];
  if (byte !== undefined) copy[at] = change(byte);
  return copy;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
