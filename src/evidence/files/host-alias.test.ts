import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type NodeDirectory, nodeDirectory } from '../../lines/node-names.ts';
import { bytesReader } from './byte-reader.ts';
import { ownerOfLog } from './host-alias.ts';
import { headBytes } from './open-text.ts';

const top = mkdtempSync(join(tmpdir(), 'host-alias-'));
after(() => rmSync(top, { recursive: true, force: true }));

const dating = { zone: 'UTC', zoneAssumed: true, year: 2026, bootNanos: null, clock: 'c' };
const cluster = nodeDirectory([
  { name: 'node-02', aliases: ['10.0.0.2'] },
  { name: 'node-03', aliases: ['gpu-c'] },
]);
const line = (host: string, minute = 0) =>
  `2026-11-30T12:${String(minute % 60).padStart(2, '0')}:00.000000+00:00 ${host} kernel: usb 1-1: new device\n`;
const many = (host: string, count: number) => Array.from({ length: count }, (_, n) => line(host, n)).join('');

async function aliasOf(content: string, directory: NodeDirectory = cluster, packed = false) {
  const path = join(top, 'node-02.log');
  writeFileSync(path, content);
  const bytes = Buffer.byteLength(content);
  const plain = packed ? null : await open(path);
  const head = Buffer.from(content).subarray(0, headBytes);
  const text = { kind: 'text', head, reader: bytesReader(head), plain } as const;
  try {
    return (await ownerOfLog('node-02', text, bytes, 'auto', dating, directory)).hostAlias;
  } finally {
    await plain?.close();
  }
}

test('a node that calls itself otherwise throughout its log has that name too', async () => {
  assert.equal(await aliasOf(many('ip-10-0-0-2', 40)), 'ip-10-0-0-2');
  assert.equal(await aliasOf(`${line('localhost')}${many('gpu-b', 3)}${line('login01')}`), 'gpu-b');
  assert.equal(await aliasOf(many('10.0.0.2', 3)), '10.0.0.2');
});

test('where lines name the node itself, a host beside it is another machine', async () => {
  assert.equal(await aliasOf(`${line('node-02.cluster.example')}${many('login01', 40)}`), null);
  assert.equal(await aliasOf(`${many('login01', 40)}${line('NODE-02')}`), null);
  assert.equal(await aliasOf('[    1.000000] usb 1-1: new device\n'), null);
});

test('another node of the job, or a name of the same scheme, is nobody else’s name', async () => {
  assert.equal(await aliasOf(many('node-03', 5)), null);
  assert.equal(await aliasOf(many('gpu-c', 5)), null);
  assert.equal(await aliasOf(many('node-09', 5)), null);
  assert.equal(await aliasOf(many('node-09', 5), nodeDirectory([])), null);
});

test('a host that names less than most of the lines is no name of the node', async () => {
  assert.equal(await aliasOf(many('loghost-a', 2) + many('loghost-b', 2)), null);
});

test('a long plain file is looked at beyond its beginning, a packed one is not', async () => {
  const late = many('login01', 1000) + many('node-02', 3000);
  assert.ok(Buffer.byteLength(many('login01', 1000)) > headBytes);
  assert.equal(await aliasOf(late), null);
  assert.equal(await aliasOf(late, cluster, true), 'login01');
});

test('entries of the journal tell the host, however long they are', async () => {
  const entry = (n: number) =>
    `${JSON.stringify({
      __REALTIME_TIMESTAMP: String(1_764_504_221_000_000 + n),
      _TRANSPORT: 'kernel',
      _KERNEL_DEVICE: 'x'.repeat(2000),
      _HOSTNAME: 'ip-10-0-0-2',
      MESSAGE: 'usb 1-1: new device',
    })}\n`;
  assert.equal(await aliasOf(entry(1) + entry(2)), 'ip-10-0-0-2');
});
