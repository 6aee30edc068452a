import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildGate, type Gate, gateHits } from './gate.ts';
import { measuredFrequencies } from './words.ts';

/** `keyword@offset` of every hit, sorted. */
function scan(gate: Gate, bytes: Uint8Array, from = 0, to = bytes.length, muted?: Uint8Array): string[] {
  const hits = gateHits(1);
  gate.scan(bytes, from, to, hits, muted);
  return Array.from({ length: hits.count }, (_, hit) => `${hits.keywords[hit]}@${hits.offsets[hit]}`).sort();
}

/** The same by definition: ASCII letters alike, everything else byte by byte. */
function naive(keywords: readonly string[], bytes: Uint8Array, from: number, to: number): string[] {
  const lower = (text: string) => text.replaceAll(/[A-Z]/g, letter => letter.toLowerCase());
  const text = lower(Buffer.from(bytes).toString('latin1'));
  return keywords
    .flatMap((keyword, index) => {
      const found: string[] = [];
      for (let at = from; at + keyword.length <= to; at += 1) {
        if (text.startsWith(lower(keyword), at)) found.push(`${index}@${at}`);
      }
      return found;
    })
    .sort();
}

const randomCase = (text: string, flips: readonly boolean[]): string =>
  [...text].map((letter, index) => (flips[index] ? letter.toUpperCase() : letter.toLowerCase())).join('');

const keyword = fc.oneof(
  fc.string({ minLength: 4, maxLength: 20, unit: fc.constantFrom(...'abAB @`[{0 P') }),
  fc.constantFrom('fallen off the bus', 'NVRM: Xid', 'aaaaaaa', 'abababab', 'IMEX', 'Oops:'),
);
const flips = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 });

test('the gate finds what a naive search finds: any text, alignment, case and range', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(keyword, { minLength: 1, maxLength: 6 }),
      fc.array(
        fc.oneof(
          fc.string({ maxLength: 9, unit: fc.constantFrom(...'abAB @`[{0\nP') }),
          fc.tuple(fc.nat({ max: 5 }), flips),
        ),
        { maxLength: 30 },
      ),
      fc.nat({ max: 7 }),
      fc.nat({ max: 30 }),
      fc.nat({ max: 30 }),
      (keywords, parts, shift, cutFrom, cutTo) => {
        const text = parts
          .map(part => (typeof part === 'string' ? part : randomCase(keywords[part[0]] ?? '', part[1])))
          .join('');
        const whole = new Uint8Array(Buffer.from(' '.repeat(shift) + text, 'latin1'));
        const bytes = new Uint8Array(whole.buffer.slice(0), shift);
        const from = Math.min(cutFrom, bytes.length);
        const to = Math.max(from, bytes.length - cutTo);
        const wanted = naive(keywords, bytes, from, to);
        assert.deepEqual(scan(buildGate(keywords), bytes, from, to), wanted);
        const measured = buildGate(keywords, measuredFrequencies(bytes, 0, bytes.length));
        assert.deepEqual(scan(measured, bytes, from, to), wanted);
      },
    ),
    { numRuns: 500 },
  );
});

test('folding merges letters of both cases and nothing else', () => {
  const gate = buildGate(['[error@']);
  const bytes = new Uint8Array(Buffer.from('[ERROR@ {error` [error`', 'latin1'));
  assert.deepEqual(scan(gate, bytes), ['0@0']);
});

test('hits come line by line', () => {
  const gate = buildGate(['the long keyword of all', 'keyword', 'of a']);
  const line = 'x the long keyword of all\n';
  const bytes = new Uint8Array(Buffer.from(line.repeat(50)));
  const hits = gateHits(2);
  gate.scan(bytes, 0, bytes.length, hits);
  const lines = Array.from(hits.offsets.subarray(0, hits.count), offset => Math.floor(offset / line.length));
  assert.equal(lines.length, 150);
  assert.deepEqual(
    lines,
    [...lines].sort((a, b) => a - b),
  );
});

test('muted keywords are passed over', () => {
  const gate = buildGate(['first keyword', 'second keyword', 'IMEX']);
  const bytes = new Uint8Array(Buffer.from('first keyword second keyword IMEX'));
  assert.deepEqual(scan(gate, bytes, 0, bytes.length, Uint8Array.from([1, 0, 1])), ['1@14']);
});

test('without keywords nothing is found', () => {
  assert.deepEqual(scan(buildGate([]), new Uint8Array(64)), []);
});
