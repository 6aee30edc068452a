import type { Random } from '../random.ts';
import { editCount, mostBytes } from './bytes.ts';

/** What parsers stumble over: extremes of numbers, quotes and brackets, ends of lines, and letters beyond ASCII. */
const strange = [
  '0',
  '-1',
  '00',
  '99999999999999999999',
  '4294967295',
  '9007199254740993',
  '18446744073709551616',
  '1e309',
  '-0',
  '0x1f',
  '2026-02-30',
  '9999-12-31T23:59:59',
  '0000-00-00',
  '23:59:60',
  'Feb 29',
  '+24:00',
  '[',
  ']',
  '[[',
  '{',
  '}',
  '"',
  "'",
  '\\',
  '\\u0000',
  '|',
  '=',
  ':',
  ';',
  ',',
  ' ',
  '\t',
  '\r\n',
  '\n\n',
  '\0',
  '\u001b[31m',
  '\u001b]0;',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\ufffd',
  'é',
  '日本',
  '🙂',
  'ſ',
  'İ',
  '%00',
  '__proto__',
  '%YAML 1.1\n---\n',
  '<<: ',
  '&a ',
  '*a ',
  'constructor',
  'null',
  '(null)',
  'NaN',
  'kernel: ',
  '<6>',
  '-----BEGIN RSA PRIVATE KEY-----',
  '://',
  '@',
] as const;

const token = /[A-Za-z_]+|\d+|\s+|[^A-Za-z_\d\s]/g;

/**
 * A text changed at one to eight places, seldom more than one: by letter, by word, by line, or joined to another. It
 * grows to no more than `most` characters.
 */
export function mutateText(text: string, other: string, random: Random, most = mostBytes): string {
  let result = text;
  for (let edits = editCount(random); edits > 0; edits -= 1) result = edit(result, other, random);
  return result.length > Math.max(most, text.length) ? result.slice(0, most) : result;
}

function edit(text: string, other: string, random: Random): string {
  const kind = random.below(10);
  if (kind < 5) return editWord(text, other, random);
  return kind < 7 ? editLetters(text, random) : editStretch(text, other, random);
}

/** Words of both texts; the one at a random place is changed. */
function editWord(text: string, other: string, random: Random): string {
  const words = text.match(token) ?? [''];
  const at = random.below(words.length);
  const word = words[at] ?? '';
  const strangers = other.match(token) ?? [''];
  const changed = ((): string => {
    switch (random.below(7)) {
      case 0:
        return '';
      case 1:
        return word + word;
      case 2:
        return random.pick(strange);
      case 3:
        return word + random.pick(strange);
      case 4:
        return strangers[random.below(strangers.length)] ?? '';
      case 5:
        return /^\d+$/.test(word)
          ? random.pick(['0', '1', `${word}0`, '99', '-5', '31', '2147483648'])
          : word.toUpperCase();
      default:
        return word.repeat(1 + random.below(random.chance(0.02) ? 3_000 : 40));
    }
  })();
  return words.with(at, changed).join('');
}

function editLetters(text: string, random: Random): string {
  const at = random.below(text.length);
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + String.fromCharCode(32 + random.below(95)) + text.slice(at + 1);
    case 2:
      return (
        text.slice(0, at) +
        String.fromCharCode(random.below(random.chance(0.5) ? 256 : 0xd800)) +
        text.slice(at)
      );
    default:
      return text.slice(0, at) + random.pick(strange) + text.slice(at);
  }
}

function editStretch(text: string, other: string, random: Random): string {
  const at = random.below(text.length);
  const lines = text.split('\n');
  const line = random.below(lines.length);
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + random.below(40));
    case 2:
      return text.slice(0, at) + other.slice(random.below(other.length));
    case 3:
      return lines.toSpliced(line, 1).join('\n');
    case 4:
      return lines.toSpliced(random.below(lines.length), 0, lines[line] ?? '').join('\n');
    case 5:
      return lines.with(line, lines[random.below(lines.length)] ?? '').join('\n');
    default:
      return (
        text.slice(0, at) +
        random
          .pick(['[', '{"a":', '(', '\\', ' ', '- ', '"'])
          .repeat(1 + random.below(random.chance(0.05) ? 2_000 : 60)) +
        text.slice(at)
      );
  }
}
