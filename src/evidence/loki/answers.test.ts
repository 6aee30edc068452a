import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { failure, statusFailure } from '../http-client/failure.ts';
import { limitsIn, readCounts, readNames, readStreams, troubleOf } from './answers.ts';

const streams = (result: unknown) => ({ status: 'success', data: { resultType: 'streams', result } });

test('values have two members or three, and stamps keep their nanoseconds', () => {
  const read = readStreams(
    streams([
      {
        stream: { host: 'node-01' },
        values: [
          ['1796126400000000001', 'one'],
          ['1796126400000000002', 'two', { structuredMetadata: { job_id: '7' }, parsed: {} }],
          ['1796126400000000003', 'three', {}],
        ],
      },
    ]),
  );
  assert.ok(read.ok);
  assert.deepEqual(read.value.streams[0]?.entries, [
    { nanos: 1_796_126_400_000_000_001n, text: 'one', metadata: {} },
    { nanos: 1_796_126_400_000_000_002n, text: 'two', metadata: { job_id: '7' } },
    { nanos: 1_796_126_400_000_000_003n, text: 'three', metadata: {} },
  ]);
});

test('entries that cannot be read are counted', () => {
  const read = readStreams(
    streams([{ stream: {}, values: [['NaN', 'x'], [1, 'x'], ['1'], 'x', ['2', 'fine']] }]),
  );
  assert.ok(read.ok);
  assert.equal(read.value.broken, 4);
  assert.equal(read.value.streams[0]?.entries.length, 1);
});

test('a warning that speaks of a partial answer makes it one', () => {
  const warnings = ['maximum number of series (500) reached for a single query; returning partial results'];
  const read = readStreams({ ...streams([]), warnings });
  assert.equal(read.ok && read.value.partial, true);
  const vector = { status: 'success', data: { resultType: 'vector', result: [] }, warnings };
  const counts = readCounts(vector, 'host');
  assert.ok(!counts.ok && counts.trouble.tooMuch === 'nodes');
});

test('limits are learned from the texts of refusals, old and new', () => {
  const refusal = (body: string) => limitsIn(statusFailure(400, body, null));
  assert.deepEqual(
    refusal('max entries limit per query exceeded, limit > max_entries_limit_per_query (10000 > 5000)'),
    { entries: 5000 },
  );
  assert.deepEqual(refusal('parse error : input size too long (6000 > 5120)'), { queryBytes: 5119 });
  assert.deepEqual(refusal('maximum of series (500) reached for a single query'), { series: 500 });
  assert.deepEqual(refusal('maximum number of series (500) reached for a single query; consider'), {
    series: 500,
  });
  assert.deepEqual(refusal('parse error at line 1'), {});
  assert.deepEqual(limitsIn(failure('reset', 'broke off')), {});
});

test('trouble says what to ask for less of, and quotes nothing', () => {
  const told = (body: string) => troubleOf(statusFailure(400, body, null)).trouble;
  assert.equal(
    told('the query time range exceeds the limit (query length: 744h0m0s, limit: 721h0m0s)').tooMuch,
    'time',
  );
  assert.equal(told('input size too long (6000 > 5120)').tooMuch, 'nodes');
  assert.equal(told('maximum of series (500) reached').tooMuch, 'nodes');
  const other = told('parse error: secret hunter2');
  assert.equal(other.tooMuch, null);
  assert.ok(!other.reason.includes('hunter2'));
});

test('whatever a server answers is an answer or a trouble, never an exception', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.record({
      status: fc.constant('success'),
      data: fc.oneof(
        fc.anything(),
        fc.record({ resultType: fc.constantFrom('streams', 'vector'), result: fc.anything() }),
      ),
    }),
    fc.array(fc.anything()).map(result => streams(result)),
    fc
      .array(fc.record({ stream: fc.anything(), values: fc.array(fc.anything()) }))
      .map(result => streams(result)),
  );
  fc.assert(
    fc.property(anything, answer => {
      for (const read of [
        readStreams(answer),
        readCounts(answer, 'host'),
        readCounts(answer, null),
        readNames(answer),
      ]) {
        assert.equal(typeof read.ok, 'boolean');
      }
    }),
    { numRuns: 1000 },
  );
});

test('any warning makes an answer partial, names as well, and an error in place of data is told', () => {
  const warnings = ['ingester 3: context deadline exceeded'];
  const names = readNames({ status: 'success', data: ['node-01'], warnings });
  assert.equal(names.ok ? 'complete' : names.trouble.status, 'truncated');
  const read = readStreams({ status: 'error', error: 'context deadline exceeded' });
  assert.equal(read.ok ? 'complete' : read.trouble.status, 'timed_out');
});
