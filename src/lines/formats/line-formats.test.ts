import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LineDating } from '../line.ts';
import { bareLine } from '../line-prefixes.ts';
import { lineFormat, lineFormats, parseLine } from './line-formats.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

test('every format has a file of its name, a test and a place in the list', () => {
  const others = ['line-formats', 'detect-format'];
  const files = readdirSync(import.meta.dirname);
  const sources = files.filter(file => !file.endsWith('.test.ts')).map(file => file.replace('.ts', ''));
  const names = lineFormats.map(({ name }) => name);
  assert.deepEqual(sources.filter(name => !others.includes(name)).toSorted(), names.toSorted());
  for (const name of names) assert.ok(files.includes(`${name}.test.ts`), name);
});

test('finds formats by name', () => {
  assert.equal(lineFormat('dmesg')?.name, 'dmesg');
  assert.equal(lineFormat('auto'), null);
});

test('auto takes what the line fits, and job text for the rest', () => {
  assert.equal(parseLine('auto', 'Nov 30 12:03:41 node-01 kernel: x', dating).host, 'node-01');
  assert.equal(parseLine('auto', '[   12.345678] x', dating).instant?.clock, 'c#boot');
  assert.equal(parseLine('auto', '5: x', dating).task, 5);
  assert.deepEqual(parseLine('auto', '- item key: value', dating), bareLine);
  assert.deepEqual(parseLine('auto', '', dating), bareLine);
});

test('a line that does not fit its named format says nothing', () => {
  assert.deepEqual(parseLine('syslog', '[   12.345678] x', dating), bareLine);
});

test('in job text, a line in the shape of a node log names no host and no kernel', () => {
  const line = 'Nov 30 12:03:41 node-07 kernel: NVRM: x';
  const parsed = parseLine('job', line, dating);
  assert.deepEqual([parsed.host, parsed.program], [null, null]);
});

test('no format throws or runs past the line, whatever it is given', () => {
  const piece = fc.constantFrom(
    ...[
      '[',
      ']',
      '<4>',
      '12',
      '.5',
      '] ',
      ': ',
      'Nov 30 ',
      '12:03:41',
      ' 2026',
      '2026-11-30',
      'T',
      ',123',
      '+00:00',
    ],
    ...[
      'Z ',
      'node-01',
      ' kernel: ',
      'rank3',
      'NCCL WARN ',
      ':12:13 ',
      '{"MESSAGE":"x"}',
      '1 - - a - - ',
      '- ',
      '\u001b[3m',
    ],
  );
  const line = fc.oneof(
    fc.array(piece, { maxLength: 16 }).map(pieces => pieces.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(line, text => {
      for (const name of ['auto', ...lineFormats.map(format => format.name)]) {
        const { messageAt } = parseLine(name, text, dating);
        assert.ok(messageAt >= 0 && messageAt <= text.length, name);
      }
      for (const format of lineFormats) if (format.fits(text)) assert.ok(format.parse(text, dating) !== null);
    }),
    { numRuns: 1000 },
  );
});

test('what a format fits, no long tail changes', () => {
  const tail = ' [x'.repeat(21_845);
  for (const line of ['[   12.345678] x', '12: [rank12]: x', 'Nov 30 12:03:41 node-01 kernel: x']) {
    assert.deepEqual(parseLine('auto', line + tail, dating), parseLine('auto', line, dating));
  }
});
