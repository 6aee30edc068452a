/**
 * JSON that keeps what JSON loses. A bigint becomes a string marked with a control character, a string that begins
 * with that character is marked too, so that no text read from a log can come back as a number.
 */
const mark = '\u0001';
const bigintMark = `${mark}n`;
const stringMark = `${mark}s`;

export function toText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'bigint') return bigintMark + member.toString();
    if (typeof member === 'string' && member.startsWith(mark)) return stringMark + member;
    return member;
  });
}

/** The value `toText` was given; throws SyntaxError for a text it did not write. */
export function fromText(text: string): unknown {
  return JSON.parse(text, (_key, member: unknown) => {
    if (typeof member !== 'string' || !member.startsWith(mark)) return member;
    if (member.startsWith(bigintMark)) return BigInt(member.slice(bigintMark.length));
    return member.slice(stringMark.length);
  });
}
