import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { type ByteReader, bytesReader } from './byte-reader.ts';
import { expandingReader, packingOf } from './expanding-reader.ts';
import type { ExpansionCap } from './expansion.ts';

const cap: ExpansionCap = { bytes: 2 ** 30, ratio: 500, ratioFromBytes: 2 ** 20 };
const lines = Array.from({ length: 40_000 }, (_, n) => `[${n}.${(n * 7919) % 1_000_000}] line ${n} of a log\n`);
const text = Buffer.from(lines.join(''));

async function readAll(reader: ByteReader, step = 65_536): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (;;) {
    const target = Buffer.alloc(step);
    const count = await reader.read(target);
    if (count === 0) return Buffer.concat(parts);
    parts.push(target.subarray(0, count));
  }
}

async function expand(
  packed: Uint8Array,
  limits: ExpansionCap = cap,
): Promise<{ got: Buffer; cut: ReturnType<ByteReader['cutShort']> }> {
  const { reader } = await expandingReader(bytesReader(packed, 100_000), limits);
  assert.ok(reader !== null);
  const got = await readAll(reader);
  const cut = reader.cutShort();
  await reader.close();
  return { got, cut };
}

/** `xz` of 'one\ntwo\nthree\n'. */
const smallXz = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQANb25lCnR3bwp0aHJlZQoAAACUhJIr6JdbfQABJg4IG+AEH7bzfQEAAAAABFla',
  'base64',
);

test('packing is told by the first bytes', () => {
  assert.equal(packingOf(gzipSync('x')), 'gzip');
  assert.equal(packingOf(zstdCompressSync('x')), 'zstd');
  assert.equal(packingOf(smallXz), 'xz');
  assert.equal(packingOf(Buffer.from('BZh91AY')), 'bzip2');
  assert.equal(packingOf(Buffer.from('[ 1.0] text')), 'plain');
  assert.equal(packingOf(new Uint8Array(0)), 'plain');
});

for (const [name, pack] of [
  ['plain', (bytes: Buffer) => bytes],
  ['gzip', (bytes: Buffer) => gzipSync(bytes)],
  ['zstd', (bytes: Buffer) => zstdCompressSync(bytes)],
] as const) {
  test(`${name} text comes out as it went in`, async () => {
    for (const content of [text, Buffer.from('x'), Buffer.alloc(0)]) {
      const { got, cut } = await expand(pack(content));
      assert.ok(got.equals(content));
      assert.equal(cut, null);
    }
  });
}

test('archives written one after the other are one text', async () => {
  const half = text.length / 2;
  for (const pack of [gzipSync, zstdCompressSync]) {
    const { got, cut } = await expand(Buffer.concat([pack(text.subarray(0, half)), pack(text.subarray(half))]));
    assert.ok(got.equals(text));
    assert.equal(cut, null);
  }
  const { got, cut } = await expand(Buffer.concat([smallXz, smallXz]));
  assert.equal(got.toString(), 'one\ntwo\nthree\n'.repeat(2));
  assert.equal(cut, null);
});

test('an incomplete archive gives what is there and says so', async () => {
  for (const pack of [gzipSync, zstdCompressSync]) {
    const packed = pack(text);
    const { got, cut } = await expand(packed.subarray(0, packed.length - 2000));
    assert.equal(cut?.status, 'failed');
    assert.ok(got.length > text.length / 2);
    assert.ok(got.equals(text.subarray(0, got.length)));
  }
});

test('a damaged archive gives what precedes the damage and says so', async () => {
  const packed = gzipSync(text);
  packed.fill(0xff, packed.length - 60_000, packed.length - 59_900);
  const { got, cut } = await expand(packed);
  assert.equal(cut?.status, 'failed');
  const sure = text.length / 2;
  assert.ok(got.subarray(0, sure).equals(text.subarray(0, sure)));
});

test('an archive of zeros is cut as a bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20), { level: constants.Z_BEST_COMPRESSION });
  const { got, cut } = await expand(bomb);
  assert.equal(cut?.status, 'truncated');
  assert.ok(got.length < 64 * 2 ** 20);
});

test('the cap in bytes holds, whatever the ratio', async () => {
  const { got, cut } = await expand(gzipSync(text), { ...cap, bytes: 200_000 });
  assert.deepEqual(cut, { status: 'truncated', reason: 'it expands to more than 200000 bytes' });
  assert.ok(got.length <= 200_000);
});

test('xz text comes out, also of several files at once', async () => {
  const results = await Promise.all([expand(smallXz), expand(smallXz), expand(smallXz)]);
  for (const { got, cut } of results) {
    assert.equal(got.toString(), 'one\ntwo\nthree\n');
    assert.equal(cut, null);
  }
});

test('an incomplete or damaged xz file is never taken for a whole one', async () => {
  const damaged = Buffer.from(smallXz);
  damaged.fill(0, 30, 40);
  assert.equal((await expand(smallXz.subarray(0, 40))).cut?.status, 'failed');
  assert.equal((await expand(damaged)).cut?.status, 'failed');
  assert.equal((await expand(smallXz)).cut, null);
});

test('an xz file closed half-way frees the decoder for the next', async () => {
  const { reader } = await expandingReader(bytesReader(smallXz), cap);
  await reader?.read(new Uint8Array(1));
  await reader?.close();
  assert.equal((await expand(smallXz)).got.toString(), 'one\ntwo\nthree\n');
});
