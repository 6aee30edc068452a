import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readFully } from './byte-reader.ts';
import { fileReader } from './file-reader.ts';

const top = mkdtempSync(join(tmpdir(), 'file-reader-'));
after(() => rmSync(top, { recursive: true, force: true }));
const never = new AbortController().signal;

async function reader(name: string, range: { from: number; to: number }, readBytes = 3, signal = never) {
  const path = join(top, name);
  writeFileSync(path, '0123456789');
  return { path, reader: fileReader(await open(path), range, readBytes, signal) };
}

test('a range is read in steps of the size asked for', async () => {
  const { reader: part } = await reader('range', { from: 2, to: 9 });
  const target = Buffer.alloc(20);
  assert.equal(await part.read(target), 3);
  assert.equal(await readFully(part, target.subarray(3)), 4);
  assert.equal(target.toString('latin1', 0, 7), '2345678');
  assert.equal(part.cutShort(), null);
  await part.close();
  await part.close();
});

test('a file that grows ends where it ended when it was opened', async () => {
  const { path, reader: part } = await reader('grows', { from: 0, to: 10 });
  appendFileSync(path, 'more');
  assert.equal(await readFully(part, Buffer.alloc(20)), 10);
  assert.equal(part.cutShort(), null);
  await part.close();
});

test('a file that shrinks is failed, not complete', async () => {
  const { path, reader: part } = await reader('shrinks', { from: 0, to: 10 });
  truncateSync(path, 4);
  assert.equal(await readFully(part, Buffer.alloc(20)), 4);
  assert.deepEqual(part.cutShort(), { status: 'failed', reason: 'it shrank while it was read' });
  await part.close();
});

test('the signal ends it as timed out', async () => {
  const deadline = new AbortController();
  const { reader: part } = await reader('deadline', { from: 0, to: 10 }, 3, deadline.signal);
  assert.equal(await part.read(Buffer.alloc(20)), 3);
  deadline.abort();
  assert.equal(await part.read(Buffer.alloc(20)), 0);
  assert.equal(part.cutShort()?.status, 'timed_out');
  await part.close();
});
