import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { failure } from '../http-client/failure.ts';
import { readMatrix, readNames, readVector, troubleOf } from './answers.ts';

const success = (data: unknown, more: object = {}) => ({ status: 'success', data, ...more });

test('values are numbers in text, with NaN and infinities', () => {
  const values = ['1.5', 'NaN', '+Inf', '-Inf', 'x', ''].map((value, index) => [index + 0.25, value]);
  const told = readMatrix(success({ resultType: 'matrix', result: [{ metric: { a: 'b', c: 1 }, values }] }));
  assert.ok(told.ok);
  const [row] = told.value.value;
  assert.deepEqual(row?.labels, { a: 'b' });
  assert.deepEqual(
    row?.points.map(({ value }) => value),
    [1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  assert.equal(row?.points[0]?.nanos, 250_000_000n);
  assert.equal(row?.dropped, 2);
});

test('native histograms have no numbers and are left out', () => {
  const told = readMatrix(success({ resultType: 'matrix', result: [{ metric: {}, histograms: [[1, {}]] }] }));
  assert.deepEqual(told.ok && told.value.value[0]?.points, []);
});

test('a warning of a store that did not answer makes an answer partial, a remark on the query does not', () => {
  const partial = (warnings: readonly string[]) => {
    const told = readVector(success({ resultType: 'vector', result: [] }, { warnings }));
    return told.ok && told.value.partial;
  };
  assert.equal(partial(['fetch series: no store matched']), true);
  assert.equal(partial(['PromQL warning: quantile value should be between 0 and 1']), false);
  assert.equal(partial([]), false);
});

test('names may be none', () => {
  const told = readNames({ status: 'success' });
  assert.deepEqual(told.ok && told.value.value, []);
});

test('what a server may not load is asked for in parts, its own time limit is a time limit', () => {
  const troubleFor = (status: number, body: string) => {
    const told = troubleOf(failure('status', 'refused', { status, body }));
    return told.ok ? null : `${told.trouble.status} ${told.trouble.tooMuch}`;
  };
  assert.equal(
    troubleFor(422, '{"error":"query processing would load too many samples into memory"}'),
    'truncated nodes',
  );
  assert.equal(
    troubleFor(422, '{"error":"the query exceeded the maximum number of chunks"}'),
    'truncated nodes',
  );
  assert.equal(troubleFor(503, '{"error":"query timed out in expression evaluation"}'), 'timed_out null');
  assert.equal(troubleFor(422, '{"error":"context deadline exceeded"}'), 'timed_out null');
  assert.equal(troubleFor(504, '<html>'), 'timed_out null');
  assert.equal(troubleFor(400, '{"error":"parse error"}'), 'failed null');
});

test('whatever a server sends, nothing throws, and what is no answer is told as trouble', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      for (const read of [readVector, readMatrix, readNames]) {
        for (const answer of [value, success(value), success({ resultType: 'vector', result: value })]) {
          const told = read(answer);
          if (!told.ok) assert.equal(told.trouble.status, 'failed');
        }
      }
    }),
  );
});

test('an answer that its server calls partial is so, and one that tells of an error has none', () => {
  const vector = readVector(success({ resultType: 'vector', result: [] }, { isPartial: true }));
  assert.equal(vector.ok && vector.value.partial, true);
  const names = readNames(success([], { warnings: ['fetching store: context deadline exceeded'] }));
  assert.equal(names.ok && names.value.partial, true);
  const statusOf = (answer: unknown) => {
    const told = readMatrix(answer);
    return told.ok ? null : told.trouble.status;
  };
  assert.equal(statusOf({ status: 'error', errorType: 'timeout', error: 'x' }), 'timed_out');
  assert.equal(statusOf({ status: 'error', error: 'context deadline exceeded' }), 'timed_out');
  assert.equal(statusOf({ status: 'error', errorType: 'execution', error: 'x' }), 'failed');
});
