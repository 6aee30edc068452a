import { dateEntry } from '../../../src/lines/entry-dates.ts';
import { decodeJournaldJson } from '../../../src/lines/formats/journald.ts';
import { lineFormats, parseLine } from '../../../src/lines/formats/line-formats.ts';
import type { LineDating, ParsedLine } from '../../../src/lines/line.ts';
import { type FuzzedParser, jsonReader, owes, textParser } from '../fuzzed-parser.ts';

export const dating: LineDating = {
  zone: 'Europe/Berlin',
  zoneAssumed: false,
  year: 2026,
  bootNanos: 1_796_000_000_000_000_000n,
  near: 1_796_040_000_000_000_000n,
  clock: 'kernel/node-01.log',
};

/** Lines that carry no year of their own, in zones that skip and repeat hours. */
const datings: readonly LineDating[] = [dating, { ...dating, year: null, near: null, bootNanos: null }];

function checkParsed(line: string, parsed: ParsedLine): void {
  owes(parsed.messageAt >= 0 && parsed.messageAt <= line.length, 'a message begins inside its line');
  owes((parsed.host ?? '').length <= line.length, 'a host is no longer than its line');
  for (const number of [parsed.pid, parsed.rank, parsed.task, parsed.gpu]) {
    owes(number === null || (Number.isSafeInteger(number) && number >= 0), 'a number is exact');
  }
}

/** Every line format as such, and the choice among them. */
export const lineParsers: readonly FuzzedParser[] = [
  ...lineFormats.map(format =>
    textParser(`line-${format.name}`, text => {
      let fits = false;
      for (const line of text.split('\n')) {
        fits = format.fits(line) || fits;
        for (const each of datings) {
          const parsed = format.parse(line, each);
          if (parsed === null) continue;
          checkParsed(line, parsed);
          fits ||= parsed.messageAt > 0;
        }
      }
      return fits;
    }),
  ),
  textParser('line-auto', text => {
    const lines = text.split('\n');
    const parsed = lines.map(line => parseLine('auto', line, dating));
    parsed.forEach((each, index) => {
      checkParsed(lines[index] ?? '', each);
    });
    return parsed.some(({ messageAt, instant }) => messageAt > 0 || instant !== null);
  }),
  jsonReader('journald-entry', value => {
    const entry = decodeJournaldJson(JSON.stringify(value));
    if (entry === null) return false;
    owes(!/[\n\r\u2028]/.test(entry.text), 'an entry is one line');
    return true;
  }),
  textParser('event-log-date', text => dateEntry(text.trim(), dating) !== null || /^\d\d\//.test(text)),
];
