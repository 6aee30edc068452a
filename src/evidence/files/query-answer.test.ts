import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQueryAnswer } from './query-answer.ts';

const answer = (result: unknown) =>
  JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } });

test('series come with their labels, node, stamps and values', () => {
  const metric = {
    __name__: 'DCGM_FI_DEV_XID_ERRORS',
    Hostname: 'node-01',
    gpu: '3',
    instance: '10.0.0.1:9400',
  };
  const values = [
    [1764504221, '0'],
    [1764504251.5, '79'],
    [1764504281.123, 'NaN'],
    [1764504311, '+Inf'],
  ];
  assert.deepEqual(parseQueryAnswer(answer([{ metric, values }]), 'xid'), {
    ok: true,
    series: [
      {
        metric: 'DCGM_FI_DEV_XID_ERRORS',
        labels: metric,
        node: 'node-01',
        nanos: [1764504221000000000n, 1764504251500000000n, 1764504281123000000n, 1764504311000000000n],
        values: [0, 79, Number.NaN, Number.POSITIVE_INFINITY],
      },
    ],
    points: 4,
    dropped: 0,
  });
});

test('a scraped address is a node without its port, and a nameless series takes the name of its file', () => {
  const parsed = parseQueryAnswer(answer([{ metric: { instance: 'node-02:9100' }, value: [1, '5'] }]), 'links');
  assert.ok(parsed.ok);
  assert.equal(parsed.series[0]?.node, 'node-02');
  assert.equal(parsed.series[0]?.metric, 'links');
});

test('points that are none are dropped and counted', () => {
  const parsed = parseQueryAnswer(
    answer([{ metric: {}, values: [[1, 'x'], [1], 'y', ['1', '2'], [2, '']] }]),
    'm',
  );
  assert.ok(parsed.ok);
  assert.deepEqual([parsed.points, parsed.dropped], [0, 5]);
});

test('what is no answer is a reason, not a throw', () => {
  assert.deepEqual(parseQueryAnswer('{"status":', 'm'), { ok: false, reason: 'it is no JSON' });
  for (const text of ['[]', 'null', '{"status":"error","error":"boom"}', '{"status":"success","data":{}}']) {
    assert.equal(parseQueryAnswer(text, 'm').ok, false);
  }
});

test('any JSON is read without a throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      parseQueryAnswer(JSON.stringify(value), 'm');
      parseQueryAnswer(answer([value]), 'm');
      parseQueryAnswer(answer([{ metric: value, values: [value] }]), 'm');
    }),
  );
});
