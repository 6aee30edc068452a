import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { statusFailure } from '../http-client/failure.ts';
import { readCounts, readEntries, readValues, troubleOf } from './answers.ts';
import { formatStamp } from './queries.ts';

test('stamps are read as they are written, to the nanosecond', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 4_102_444_800_000_000_000n }), nanos => {
      const written = formatStamp(nanos).replace(/\.?0+Z$/, 'Z');
      for (const stamp of [formatStamp(nanos), written.includes('.') ? written : formatStamp(nanos)]) {
        const read = readEntries([{ _time: stamp, _msg: 'x', _stream: '{}' }], null);
        assert.equal(read.ok && read.value.streams[0]?.entries[0]?.nanos, nanos);
      }
    }),
  );
});

test('a stream whose fields tell the node is itself, another is one stream a node', () => {
  const row = (stream: string) => [
    { _time: '2026-11-30T12:00:00Z', _msg: 'x', _stream: stream, host: 'node-01' },
  ];
  const streamOf = (stream: string) => {
    const read = readEntries(row(stream), 'host');
    return read.ok ? read.value.streams[0]?.stream : undefined;
  };
  assert.equal(streamOf('{host="node-01",job="kernel"}'), '{host="node-01",job="kernel"}');
  assert.equal(streamOf('{job="kernel"}'), '{job="kernel"} "host":="node-01"');
  assert.equal(streamOf('{}'), '* "host":="node-01"');
});

test('refusals tell what to ask for less of', () => {
  const told = (body: string) => troubleOf(statusFailure(400, body, null)).trouble.tooMuch;
  assert.equal(told('the `query` arg length cannot exceed -search.maxQueryLen=16384 bytes'), 'nodes');
  assert.equal(told('too big time range selected: it cannot exceed -search.maxQueryTimeRange=1d'), 'time');
  assert.equal(told('cannot parse'), null);
});

test('whatever a server answers is an answer or a trouble, never an exception', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.array(fc.anything())), answer => {
      for (const read of [readEntries(answer, 'host'), readCounts(answer, null), readValues(answer)]) {
        assert.equal(typeof read.ok, 'boolean');
      }
    }),
    { numRuns: 1000 },
  );
});
