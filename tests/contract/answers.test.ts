import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AttributionResponse,
  coverageToWire,
  datetimeFromWire,
  datetimeToWire,
  type EpochNanos,
  errorTypes,
  renderResponse,
} from '../../src/contract/index.ts';
import { formatDatetime } from '../../src/contract/pydantic/calendar.ts';
import { checkDatetime } from '../../src/contract/pydantic/datetime.ts';

const noon = 1_772_452_800_000_000_000n; // 2026-03-02T12:00:00Z

const empty: AttributionResponse = {
  serviceId: 'attribution-adapter',
  serviceVersion: '0.1.0+c0ffee',
  requestId: 'r-1',
  attributionSessionId: null,
  attributions: [],
  unattributedTargets: [],
  error: null,
};

test('an empty answer has every member, nulls and empty lists included', () => {
  assert.equal(
    renderResponse(empty),
    '{"schema_version":"0.1.0","service_id":"attribution-adapter","service_version":"0.1.0+c0ffee","request_id":"r-1","attribution_session_id":null,"attributions":[],"unattributed_targets":[],"error":null}',
  );
});

const full: AttributionResponse = {
  ...empty,
  attributionSessionId: 's-1',
  attributions: [
    {
      target: { type: 'Node', node: 'node-01' },
      category: 'accelerator_gpu',
      observedAt: noon + 123_456_789n,
      confidence: 1,
      evidence: [
        {
          kind: 'kernel_log',
          source: 'files',
          observedAt: noon,
          node: 'node-01',
          message: 'NVRM: "é"\u0000',
          reference: { kind: 'file', path: 'kernel/node-01.log', line: 17 },
        },
        {
          kind: 'metric',
          source: 'prometheus',
          observedAt: noon,
          node: null,
          message: '3',
          reference: { kind: 'query', query: 'up{job="a"}', stamp: '1772452800' },
        },
        { kind: 'note', source: 'adapter', observedAt: null, node: null, message: 'assumed', reference: null },
      ],
    },
    {
      target: { type: 'AllJobResources' },
      category: 'application_error',
      observedAt: noon,
      confidence: null,
      evidence: [],
    },
  ],
  unattributedTargets: [{ type: 'Node', node: 'node-02' }, { type: 'AllJobResources' }],
  error: { type: 'timeout', message: 'the deadline passed' },
};

test('a full answer, member by member', () => {
  assert.deepEqual(JSON.parse(renderResponse(full)), {
    schema_version: '0.1.0',
    service_id: 'attribution-adapter',
    service_version: '0.1.0+c0ffee',
    request_id: 'r-1',
    attribution_session_id: 's-1',
    attributions: [
      {
        target: { type: 'Node', node: 'node-01' },
        error_category: 'accelerator_gpu',
        observed_at: '2026-03-02T12:00:00.123456Z',
        confidence: 1,
        evidence: [
          {
            kind: 'kernel_log',
            source: 'files',
            observed_at: '2026-03-02T12:00:00Z',
            node: 'node-01',
            message: 'NVRM: "é"\u0000',
            reference: 'kernel/node-01.log:17',
          },
          {
            kind: 'metric',
            source: 'prometheus',
            observed_at: '2026-03-02T12:00:00Z',
            node: null,
            message: '3',
            reference: 'up{job="a"} @ 1772452800',
          },
          {
            kind: 'note',
            source: 'adapter',
            observed_at: null,
            node: null,
            message: 'assumed',
            reference: null,
          },
        ],
      },
      {
        target: { type: 'AllJobResources' },
        error_category: 'application_error',
        observed_at: '2026-03-02T12:00:00Z',
        confidence: null,
        evidence: [],
      },
    ],
    unattributed_targets: [{ type: 'Node', node: 'node-02' }, { type: 'AllJobResources' }],
    error: { type: 'timeout', message: 'the deadline passed' },
  });
});

test('an answer is compact, unescaped UTF-8, and writes floats with a point', () => {
  const text = renderResponse(full);
  assert.ok(text.includes('"message":"NVRM: \\"é\\"\\u0000"'));
  assert.ok(text.includes('"confidence":1.0,'));
  assert.ok(!/[:,] /.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""')));
});

test('categories can be mapped to other words, those without one stay', () => {
  const text = renderResponse(full, { categories: { accelerator_gpu: 'gpu' } });
  const { attributions } = JSON.parse(text) as { attributions: { error_category: string }[] };
  assert.deepEqual(
    attributions.map(finding => finding.error_category),
    ['gpu', 'application_error'],
  );
});

test('the four types of error', () => {
  assert.deepEqual(errorTypes, [
    'timeout',
    'insufficient_telemetry',
    'service_error',
    'no_attribution_available',
  ]);
});

const written: readonly (readonly [EpochNanos, string])[] = [
  [noon, '2026-03-02T12:00:00Z'],
  [noon + 123_000_000n, '2026-03-02T12:00:00.123000Z'],
  [noon + 1_000n, '2026-03-02T12:00:00.000001Z'],
  [noon + 999n, '2026-03-02T12:00:00Z'],
  [noon + 999_999_999n, '2026-03-02T12:00:00.999999Z'],
  [-1n, '1969-12-31T23:59:59.999999Z'],
  [-62_135_596_800_000_000_000n, '0001-01-01T00:00:00Z'],
  [-(10n ** 30n), '0001-01-01T00:00:00Z'],
  [10n ** 30n, '9999-12-31T23:59:59.999999Z'],
];

for (const [instant, text] of written) {
  test(`${instant} ns is written ${text}`, () => {
    assert.equal(datetimeToWire(instant), text);
  });
}

test('offsets are written as they were given, none for a naive datetime', () => {
  for (const [given, text] of [
    ['2026-03-02T12:00:00+02:00', '2026-03-02T12:00:00+02:00'],
    ['2026-03-02T12:00:00.5-0330', '2026-03-02T12:00:00.500000-03:30'],
    ['2026-03-02T12:00:00-00:00', '2026-03-02T12:00:00Z'],
    ['2026-03-02T12:00', '2026-03-02T12:00:00'],
    ['2026-03-02', '2026-03-02T00:00:00'],
  ] as const) {
    const read = checkDatetime(given, 'utc');
    assert.equal(read.ok && formatDatetime(read.value), text);
  }
});

test('what is written as a datetime is read as the same microsecond', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }), micros => {
      assert.equal(datetimeFromWire(datetimeToWire(micros * 1000n)), micros * 1000n);
    }),
  );
});

test('coverage has a wire form of its own', () => {
  const wire = coverageToWire({
    source: 'files',
    origin: 'kernel',
    window: { from: noon, to: noon + 60_000_000_000n },
    query: null,
    filter: null,
    streams: 2,
    lines: 300,
    bytes: 40_000,
    groups: [{ status: 'complete', nodes: 'node-[01-02]', count: 2, reason: null }],
    notYet: { from: noon + 60_000_000_000n, to: noon + 120_000_000_000n },
    remarks: ['zone assumed'],
  });
  assert.deepEqual(wire, {
    source: 'files',
    origin: 'kernel',
    window: { from: '2026-03-02T12:00:00Z', to: '2026-03-02T12:01:00Z' },
    query: null,
    filter: null,
    streams: 2,
    lines: 300,
    bytes: 40_000,
    groups: [{ status: 'complete', nodes: 'node-[01-02]', count: 2, reason: null }],
    not_yet: { from: '2026-03-02T12:01:00Z', to: '2026-03-02T12:02:00Z' },
    remarks: ['zone assumed'],
  });
});
