import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { decodeShippedJson, shippedJson } from './shipped-json.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };
const stamp = '2026-11-30T12:03:41.500Z';

test('reads what shippers write to one line of text', () => {
  const whole = `${stamp} node-01 kernel: NVRM: x`;
  const objects = [
    { '@timestamp': stamp, host: { name: 'node-01' }, process: { name: 'kernel' }, message: 'NVRM: x' },
    { timestamp: stamp, hostname: 'node-01', facility: 'kern', msg: 'NVRM: x' },
    { timereported: stamp, fromhost: 'node-01', programname: 'kernel', msg: 'NVRM: x' },
  ];
  for (const object of objects) assert.equal(decodeShippedJson(JSON.stringify(object)), whole);
  const seconds = { date: 1_796_040_221.5, host: 'node-01', ident: 'kernel', message: 'NVRM: x' };
  assert.equal(
    decodeShippedJson(JSON.stringify(seconds)),
    '2026-11-30T12:03:41.500000Z node-01 kernel: NVRM: x',
  );
});

test('reads a list with an entry a line', () => {
  const entry = JSON.stringify({ date: stamp, host: 'node-01', ident: 'slurmd', message: 'x' });
  for (const line of [`[${entry},`, `${entry},`, `,${entry}`, `${entry}]`, `[${entry}]`])
    assert.equal(decodeShippedJson(line), `${stamp} node-01 slurmd: x`, line);
});

test('takes objects that programs log for none', () => {
  for (const object of [
    { time: stamp, host: 'node-01', level: 'error', message: 'NVRM: x' },
    { '@timestamp': stamp, host: { name: 'node-01' }, process: { name: 'MainProcess' }, message: 'x' },
    { date: stamp, ident: 'kernel', message: 'NVRM: x' },
    { date: stamp, host: 'node 01', ident: 'kernel', message: 'NVRM: x' },
    { date: stamp, host: 'node-01', ident: 'kernel' },
  ])
    assert.equal(shippedJson.fits(JSON.stringify(object)), false);
  for (const line of ['', '{', '[', '[]', '{}', 'null', '[{"a":1}', 'NVRM: x'])
    assert.equal(shippedJson.fits(line), false, line);
});

test('leaves a stamp without its offset out', () => {
  const entry = { date: '2026-11-30 12:03:41', host: 'node-01', ident: 'kernel', message: 'x' };
  assert.equal(decodeShippedJson(JSON.stringify(entry)), '- node-01 kernel: x');
});

test('the format reads lines and decoded lines alike', () => {
  const line = JSON.stringify({ date: stamp, host: 'node-01', ident: 'kernel', message: 'NVRM: x' });
  const text = decodeShippedJson(line) ?? '';
  const parsed = shippedJson.parse(text, dating);
  assert.deepEqual([parsed?.host, parsed?.program], ['node-01', 'kernel']);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T12:03:41.500000Z');
  assert.equal(text.slice(parsed?.messageAt), 'NVRM: x');
  assert.deepEqual(shippedJson.parse(line, dating), { ...parsed, messageAt: 0 });
});

test('whatever a line holds, it stays one line of its host and writer', () => {
  const field = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.constant(null));
  fc.assert(
    fc.property(field, field, field, (date, message, host) => {
      const decoded = decodeShippedJson(JSON.stringify({ date, message, host, ident: 'app' }));
      if (decoded === null) return;
      assert.ok(!/[\r\n]/.test(decoded));
      assert.equal(shippedJson.parse(decoded, dating)?.program, 'app');
    }),
  );
});
