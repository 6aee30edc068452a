import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Observation,
  readAttribution,
  readAttributorCreated,
  readAttributorRequest,
  readFailureHeader,
  readObservation,
  readWorkloadId,
  renderAttribution,
  renderAttributorRequest,
  renderObservation,
  writeFailureHeader,
  writeWorkloadId,
} from './index.ts';

const at = 1_788_955_200_000_000_000n;

function read(body: unknown): Observation {
  const found = readObservation(body);
  assert.ok(found.ok);
  return found.observation;
}

test('an attributor request reads back', () => {
  const request = {
    id: writeWorkloadId('12345', 3, at),
    nodes: ['node-01_1', 'node-02'],
    jobStart: at - 5n * 1000n,
    jobEnd: at,
  };
  const labels = { ranks: 16, ranksPerNode: 8, cluster: 'c', tenant: 't', ruleset: 'default' };
  const body: unknown = JSON.parse(JSON.stringify(renderAttributorRequest(request, labels)));
  assert.deepEqual(readAttributorRequest(body), { ok: true, request });
  assert.deepEqual(readWorkloadId(request.id), { jobId: '12345', cycle: 3 });
});

test('job and cycle come out of a workload id, and any other id is its own job', () => {
  assert.deepEqual(readWorkloadId('a:cycle9:b:cycle2:17'), { jobId: 'a:cycle9:b', cycle: 2 });
  assert.deepEqual(readWorkloadId('12345'), { jobId: '12345', cycle: 0 });
  assert.deepEqual(readWorkloadId(''), { jobId: '', cycle: 0 });
});

test('a workload may be almost empty, but must be an object with a list of names', () => {
  assert.deepEqual(readAttributorRequest({ workload: {} }), {
    ok: true,
    request: { id: '', nodes: [], jobStart: null, jobEnd: null },
  });
  for (const body of [
    null,
    [],
    {},
    { workload: 7 },
    { workload: { nodes: [1] } },
    { workload: { id: 'x'.repeat(600) } },
  ]) {
    assert.equal(readAttributorRequest(body).ok, false);
  }
});

test('an id may be a text or a number', () => {
  assert.equal(readAttributorCreated({ attributor_id: 7 }), '7');
  assert.equal(readAttributorCreated({ attributor_id: 'x' }), 'x');
  for (const body of [{}, { attributor_id: null }, { attributor_id: {} }, [], 'x']) {
    assert.equal(readAttributorCreated(body), null);
  }
});

test('an observation reads back', () => {
  const streams = [
    {
      labels: { app: 'dmesg', hostname: 'node-01' },
      stamps: [at, at + 1n],
      lines: ['[1.5] a', '{"b": "quoted"}'],
    },
  ];
  const body: unknown = JSON.parse(JSON.stringify(renderObservation({ from: at - 1000n, to: at }, streams)));
  assert.deepEqual(read(body), { from: at - 1000n, to: at, streams, skipped: 0 });
});

test('streams may stand unwrapped, entries may be bare lines, and several lines in one', () => {
  const body = {
    body: [
      {
        stream: { app: 'x' },
        values: [
          ['5', 'bare'],
          [6, 'two\nlines\n'],
          ['7', '{"body":"json"}'],
        ],
      },
    ],
  };
  assert.deepEqual(read(body).streams, [
    { labels: { app: 'x' }, stamps: [5n, 6n, 6n, 7n], lines: ['bare', 'two', 'lines', 'json'] },
  ]);
});

test('bad entries are counted and left out', () => {
  const values = [
    ['5', 'good'],
    [],
    ['x', 'line'],
    ['5'],
    ['99999999999999999999999', 'line'],
    'line',
    [null, 'line'],
    ['-1', 'l'],
  ];
  const body = { body: JSON.stringify([{ stream: {}, values }, 7, { stream: {} }]) };
  const { streams, skipped } = read(body);
  assert.deepEqual(
    streams.map(({ lines }) => lines),
    [['good']],
  );
  assert.equal(skipped, 9);
});

test('a body without streams is refused', () => {
  for (const body of [null, 7, [], {}, { body: 'no JSON' }, { body: '{}' }, { body: 7 }]) {
    assert.equal(readObservation(body).ok, false);
  }
});

test('whatever stands in a body, reading it answers', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (body, values) => {
      readObservation(body);
      readObservation({ body });
      readObservation({ body: [{ stream: body, values }] });
      readAttribution(body);
      readAttribution({ attributions: values });
      readAttributorRequest({ workload: body });
    }),
  );
});

test('an attribution says what clients read, and reads back', () => {
  const evidence = [
    { kind: 'kernel_log', source: 's', observedAt: at, node: 'n1', message: 'm', reference: null },
  ];
  const finding = { category: 'pcie', observedAt: at, confidence: 0.5, evidence };
  const body: unknown = JSON.parse(
    renderAttribution({
      attributorId: 'x',
      findings: [
        { ...finding, target: { type: 'Node', node: 'n1' } },
        { ...finding, target: { type: 'AllJobResources' } },
      ],
      unattributed: [],
      coverage: [],
      error: { type: 'timeout', message: 'late' },
    }),
  );
  const { attributions } = body as { attributions: { type: string; node?: string; attributions: unknown[] }[] };
  const accused = attributions.filter(
    item => item.type === 'NodeAttribution' && item.node && item.attributions.length > 0,
  );
  assert.deepEqual(
    accused.map(item => item.node),
    ['n1'],
  );
  const answer = readAttribution(body);
  assert.deepEqual(
    answer?.attributions.map(({ node }) => node),
    ['n1', null],
  );
  assert.deepEqual(answer?.attributions[0]?.findings, [{ ...finding, rest: {} }]);
  assert.deepEqual(answer?.error, { type: 'timeout', message: 'late' });
});

test('a failure told in another place than error is one where nobody is named', () => {
  const item = { type: 'NodeAttribution', node: 'n1', attributions: [] };
  const failed = [
    { attributions: [], errors: ['x'] },
    { attributions: [], Error: { type: 'timeout' } },
    { attributions: [], status: 'failed' },
    { attributions: [], success: false },
    { attributions: [], detail: 'boom' },
    { attributions: [], error_message: 'boom' },
    { attributions: [], error_code: 7 },
    { attributions: [], timed_out: true },
    { attributions: [], code: 503 },
    { attributions: [], code: 'UNAVAILABLE' },
    { attributions: [], message: 'Internal server error' },
    { attributions: [], message: 'could not read the logs' },
    { attributions: [], message: 'analysis timed out after 30 s' },
    { attributions: [], reason: 'quota exceeded' },
    { attributions: [{ ...item, reason: 'store unreachable' }] },
    { attributions: [{ ...item, error: { type: 'service_error' } }] },
    { attributions: [item, { ...item, status: 'timeout' }] },
  ];
  for (const body of failed) {
    assert.equal(readAttribution(body)?.error?.type, 'service_error', JSON.stringify(body));
  }
  const clean = [
    {
      attributions: [],
      errors: [],
      status: 'COMPLETED',
      success: true,
      detail: null,
      error_code: 0,
      timed_out: false,
    },
    { attributions: [{ ...item, error: null, status: 'ok' }] },
    { attributions: [], message: 'ok', code: 0, reason: null },
    { attributions: [], message: 'no errors or failures were found', code: 200 },
    { attributions: [], message: 'Nothing found for the job that failed', reason: '' },
    { attributions: [], message: '', code: 'OK' },
    { attributions: [{ ...item, attributions: [{ error_category: 'pcie' }] }], status: 'failed' },
  ];
  for (const body of clean) assert.equal(readAttribution(body)?.error, null, JSON.stringify(body));
});

test('the failure header is ASCII and reads back', () => {
  const details = {
    workflowId: 'tränïng',
    detectedAt: at,
    detectionSignal: 'hang',
    jobEndTime: null,
    startTime: at,
    endTime: null,
  };
  const header = writeFailureHeader(details);
  assert.match(header, /^[\x20-\x7e]+$/);
  assert.deepEqual(readFailureHeader(header), details);
  for (const broken of [null, '', '%', '{}', encodeURIComponent('{"workflow_id":"w"}')]) {
    assert.equal(readFailureHeader(broken), null);
  }
});

test('the line of an entry is what JSON says it is, whatever stands in it and around it', () => {
  const lineOf = (said: string): readonly string[] => {
    const read = readObservation({ body: [{ stream: {}, values: [['1', said]] }] });
    assert.ok(read.ok);
    return read.observation.streams.flatMap(({ lines }) => lines);
  };
  const word = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', ',', '"body":"', '\u00e9', '\t') });
  const usual = fc.record({ body: word, severity: word, attributes: fc.record({ hostname: word }) });
  fc.assert(
    fc.property(usual, entry => {
      assert.deepEqual(lineOf(JSON.stringify(entry)), [entry.body]);
    }),
  );
  const broken = fc
    .tuple(usual, fc.nat(), fc.constantFrom('', '"', '\\', '}', ',"body":"z"'))
    .map(([entry, at, piece]) => {
      const said = JSON.stringify(entry);
      const cut = at % said.length;
      return said.slice(0, cut) + piece + said.slice(cut + 1);
    });
  fc.assert(
    fc.property(broken, said => {
      let parsed: unknown = null;
      try {
        parsed = JSON.parse(said);
      } catch {
        // No JSON: nothing to compare with but that it is read at all.
      }
      const lines = lineOf(said);
      const body = (parsed as { body?: unknown } | null)?.body;
      if (typeof body === 'string') assert.deepEqual(lines, [body]);
    }),
  );
});
