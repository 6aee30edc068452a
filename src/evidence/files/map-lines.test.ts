import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteReader, bytesReader } from './byte-reader.ts';
import { mapLines } from './map-lines.ts';

async function readAll(reader: ByteReader, step: number): Promise<string> {
  const parts: Buffer[] = [];
  for (;;) {
    const target = Buffer.alloc(step);
    const count = await reader.read(target);
    if (count === 0) return Buffer.concat(parts).toString();
    parts.push(target.subarray(0, count));
  }
}

const shout = (line: string) => (line.includes('x') ? null : `${line.toUpperCase()}!`);

test('every line becomes one line, whatever the sizes of reads', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'x', ' ', 'ä'), maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      async (lines, closed, step, want) => {
        const text = lines.join('\n') + (closed ? '\n' : '');
        const parts = text.split('\n');
        const last = parts.pop() ?? '';
        const mapped = parts.map(part => `${shout(part) ?? part}\n`);
        const expected = mapped.join('') + (last === '' ? '' : (shout(last) ?? last));
        assert.equal(await readAll(mapLines(bytesReader(Buffer.from(text), step), shout), want), expected);
      },
    ),
  );
});

test('a line over the bound passes as it is, and the next is mapped again', async () => {
  const long = 'a'.repeat(50);
  const text = `b\n${long}\nc\n`;
  for (const step of [1, 7, 1000]) {
    const got = await readAll(mapLines(bytesReader(Buffer.from(text), step), shout, 20), 64);
    assert.ok(
      got === `B!\n${long}\nC!\n` || (step === 1000 && got === `B!\n${long.toUpperCase()}!\nC!\n`),
      got,
    );
  }
});

test('a line cut off in the middle is not mapped', async () => {
  const source = bytesReader(Buffer.from('a\nb'));
  const cut: ByteReader = { ...source, cutShort: () => ({ status: 'failed', reason: 'damaged' }) };
  assert.equal(await readAll(mapLines(cut, shout), 10), 'A!\nb');
});
