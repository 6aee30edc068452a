import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { decodeJournaldJson, journald } from './journald.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'c' };

const entry = {
  __REALTIME_TIMESTAMP: '1796040221123456',
  __MONOTONIC_TIMESTAMP: '12345678',
  _BOOT_ID: '00112233445566778899aabbccddeeff',
  _HOSTNAME: 'node-01',
  _TRANSPORT: 'kernel',
  SYSLOG_IDENTIFIER: 'kernel',
  MESSAGE: 'NVRM: x',
};

function decoded(changes: Readonly<Record<string, unknown>>): string | undefined {
  return decodeJournaldJson(JSON.stringify({ ...entry, ...changes }))?.text;
}

test('decodes an entry to one line of text and its times', () => {
  assert.deepEqual(decodeJournaldJson(JSON.stringify(entry)), {
    text: '2026-11-30T12:03:41.123456Z node-01 kernel: NVRM: x',
    nanos: 1_796_040_221_123_456_000n,
    host: 'node-01',
    program: 'kernel',
    pid: null,
    bootId: '00112233445566778899aabbccddeeff',
    monotonic: 12_345_678_000n,
    transport: 'kernel',
  });
});

test('decodes messages of bytes, of several values and none', () => {
  assert.equal(
    decoded({ MESSAGE: [78, 86, 0xff, 77] }),
    '2026-11-30T12:03:41.123456Z node-01 kernel: NV\uFFFDM',
  );
  assert.equal(decoded({ MESSAGE: ['first', 'second'] }), '2026-11-30T12:03:41.123456Z node-01 kernel: first');
  assert.equal(decoded({ MESSAGE: null }), '2026-11-30T12:03:41.123456Z node-01 kernel: ');
});

test('keeps one entry on one line', () => {
  assert.equal(
    decoded({ MESSAGE: 'a\nnode-02 kernel: b\u2028c\n' }),
    '2026-11-30T12:03:41.123456Z node-01 kernel: a node-02 kernel: b c',
  );
});

test('lets nobody but the kernel call itself kernel', () => {
  assert.equal(
    decoded({ _TRANSPORT: 'syslog', _PID: '42' }),
    '2026-11-30T12:03:41.123456Z node-01 not-the-kernel[42]: NVRM: x',
  );
  assert.equal(
    decoded({ _TRANSPORT: 'stdout', SYSLOG_IDENTIFIER: 'a b', _COMM: 'app' }),
    '2026-11-30T12:03:41.123456Z node-01 app: NVRM: x',
  );
});

test('writes a dash for what is not known', () => {
  assert.equal(decoded({ __REALTIME_TIMESTAMP: 'soon', _HOSTNAME: 'a b' }), '- - kernel: NVRM: x');
  assert.equal(
    decoded({ __REALTIME_TIMESTAMP: '1796040221000000' })?.slice(0, 27),
    '2026-11-30T12:03:41.000000Z',
  );
});

test('takes other JSON and other text for no entry', () => {
  for (const line of ['{"log":"x"}', '[]', 'null', '{', 'NVRM: x', ''])
    assert.equal(decodeJournaldJson(line), null);
});

test('the format reads entries, decoded ones and undated ones alike', () => {
  const text = decoded({}) ?? '';
  const parsed = journald.parse(text, dating);
  assert.equal(formatNanos(parsed?.instant?.nanos ?? 0n), '2026-11-30T12:03:41.123456Z');
  assert.equal(text.slice(parsed?.messageAt), 'NVRM: x');
  assert.deepEqual(journald.parse(JSON.stringify(entry), dating), { ...parsed, messageAt: 0 });
  const undated = journald.parse('- node-01 kernel: NVRM: x', dating);
  assert.deepEqual([undated?.instant, undated?.host, undated?.program], [null, 'node-01', 'kernel']);
});

test('whatever an entry holds, its text is read back to the same host, program and time', () => {
  const field = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(fc.nat(300)),
    fc.constant(null),
    fc.nat(),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      field,
      field,
      fc.option(field),
      (message, host, identifier, pid) => {
        const line = JSON.stringify({
          ...entry,
          _TRANSPORT: 'syslog',
          MESSAGE: message,
          _HOSTNAME: host,
          SYSLOG_IDENTIFIER: identifier,
          _PID: pid,
        });
        const decodedEntry = decodeJournaldJson(line);
        assert.ok(decodedEntry !== null);
        assert.ok(!/[\r\n]/.test(decodedEntry.text));
        const parsed = journald.parse(decodedEntry.text, dating);
        assert.equal(parsed?.instant?.nanos, decodedEntry.nanos);
        assert.equal(parsed?.host, decodedEntry.host === '-' ? null : decodedEntry.host);
        assert.equal(parsed?.program, decodedEntry.program);
        assert.notEqual(decodedEntry.program, 'kernel');
      },
    ),
  );
});
