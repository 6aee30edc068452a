import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTraceHeaders } from './trace-headers.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const valid = `00-${traceId}-${parentId}-01`;

test('a valid traceparent is read, with its tracestate', () => {
  assert.deepEqual(readTraceHeaders({ traceparent: valid, tracestate: 'a=1,b=2' }), {
    traceparent: valid,
    tracestate: 'a=1,b=2',
  });
});

test('a later version may carry more members', () => {
  const later = `cc-${traceId}-${parentId}-01-what-comes`;
  assert.equal(readTraceHeaders({ traceparent: later }).traceparent, later);
});

const invalid: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['short', '00-1-2-3'],
  ['upper case', `00-${traceId.toUpperCase()}-${parentId}-01`],
  ['trace id of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
  ['parent id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['version ff', `ff-${traceId}-${parentId}-01`],
  ['more members in version 00', `${valid}-x`],
  ['twice, as joined headers', `${valid}, ${valid}`],
  ['huge', `cc-${traceId}-${parentId}-01-${'x'.repeat(10_000)}`],
];
for (const [how, traceparent] of invalid) {
  test(`a traceparent that is ${how} is none, and its tracestate neither`, () => {
    assert.deepEqual(readTraceHeaders({ traceparent, tracestate: 'a=1' }), {
      traceparent: null,
      tracestate: null,
    });
  });
}

test('a tracestate that is huge, empty or no list is left out alone', () => {
  for (const tracestate of ['a=1'.repeat(1_000), '', 'nothing', 'a=\u0007']) {
    assert.deepEqual(readTraceHeaders({ traceparent: valid, tracestate }), {
      traceparent: valid,
      tracestate: null,
    });
  }
});

test('whatever comes, nothing is thrown and nothing but the form gets through', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (traceparent, tracestate) => {
      const read = readTraceHeaders({ traceparent, tracestate });
      assert.ok(
        read.traceparent === null ||
          /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}/.test(read.traceparent),
      );
      assert.ok(read.traceparent !== null || read.tracestate === null);
    }),
  );
});
