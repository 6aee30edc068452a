import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNanos } from '../../core/time.ts';
import type { LineDating } from '../line.ts';
import { type CheckLog, readChecks } from './check-rows.ts';

const dating: LineDating = { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null, clock: 'log' };
const log = (lines: readonly string[], more: Partial<CheckLog> = {}): CheckLog => ({
  lines,
  format: 'auto',
  dating,
  node: null,
  ...more,
});
const diagnosis = {
  'DCGM Diagnostic': {
    test_categories: [
      {
        category: 'Hardware',
        tests: [
          {
            name: 'memory',
            results: [
              {
                entity_group: 'GPU',
                entity_id: 3,
                status: 'Fail',
                warnings: [
                  { warning: 'first "cell"', error_severity: 2, error_category: 10 },
                  { warning: 'second', error_severity: 1, error_category: 9 },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
};
const printed = JSON.stringify(diagnosis, null, 2).split('\n');

test('a fact is quoted by the line that says it, and numbered by it', () => {
  const { rows } = readChecks(log(['2026-11-30T12:00:00+00:00 node-01 epilog: diag', ...printed, 'end']));
  assert.deepEqual(
    rows.map(({ entity, name, field, value }) => [entity, name, field, value]),
    [
      ['check', 'memory', 'dcgm', 'isolate memory fail GPU 3: first "cell"'],
      ['check', 'memory', 'dcgm', 'monitor thermal fail GPU 3: second'],
    ],
  );
  const lines = ['x', ...printed];
  for (const { line, text } of rows) assert.equal(text, lines[line - 1]);
  assert.match(rows[0]?.text ?? '', /first/);
  assert.match(rows[1]?.text ?? '', /second/);
});

test('the words of a document are taken out of the log, line for line, and nothing else is', () => {
  const before = '2026-11-30T12:00:00+00:00 node-01 epilog: check x: FAIL';
  const inSyslog = `2026-11-30T12:00:01+00:00 node-01 epilog: ${JSON.stringify(diagnosis)}`;
  const { lines } = readChecks(log([before, ...printed, inSyslog, '{"some": "other document"}']));
  assert.equal(lines.length, printed.length + 3);
  assert.equal(lines[0], before);
  assert.deepEqual([...new Set(lines.slice(1, 1 + printed.length))], ['{}']);
  assert.equal(lines.at(-2), '2026-11-30T12:00:01+00:00 node-01 epilog: {}');
  assert.equal(lines.at(-1), '{"some": "other document"}');
  const told = readChecks(log([`epilog: check gpu-count: FAIL (7 of 8) ${JSON.stringify(diagnosis)}`]));
  assert.deepEqual(told.lines, ['epilog: check gpu-count: FAIL (7 of 8) {}']);
});

test('a fact is dated by its store, its line, its document, or by the lines before it', () => {
  const when = (lines: readonly string[], more: Partial<CheckLog> = {}) => {
    const nanos = readChecks(log(lines, more)).rows[0]?.instant.nanos;
    return nanos == null ? null : formatNanos(nanos);
  };
  const one = JSON.stringify(diagnosis);
  const stamped = `2026-11-30T12:00:01+00:00 node-01 epilog: ${one}`;
  const state = { component: 'cpu', states: [{ health: 'Unhealthy', time: '2026-11-30T11:00:00Z' }] };
  assert.equal(when([stamped]), '2026-11-30T12:00:01Z');
  assert.equal(when(['2026-11-30T12:00:00+00:00 node-01 epilog: diag', one]), '2026-11-30T12:00:00Z');
  assert.equal(when([JSON.stringify(state)]), '2026-11-30T11:00:00Z');
  const told = (time: string) =>
    `2026-11-30T12:00:01+00:00 node-01 epilog: ${JSON.stringify({
      component: 'cpu',
      states: [{ health: 'Unhealthy', time }],
    })}`;
  assert.equal(when([told('2026-11-20T08:00:00Z')]), '2026-11-20T08:00:00Z', 'what it found long ago');
  assert.equal(when([told('2026-11-30T12:05:00Z')]), '2026-11-30T12:00:01Z', 'a clock that is ahead');
  const anyZone = { dating: { ...dating, zoneAssumed: true } };
  assert.equal(when([told('2026-11-30T08:00:00')], anyZone), '2026-11-30T12:00:01Z', 'of what zone?');
  assert.equal(when([told('2026-11-29T22:30:00')], anyZone), '2026-11-30T12:00:01Z', 'of any zone?');
  const [old] = readChecks(log([told('2026-11-16T08:00:00')], anyZone)).rows;
  assert.equal(formatNanos(old?.instant.nanos ?? 0n), '2026-11-16T08:00:00Z', 'earlier in every zone');
  assert.equal(old?.instant.basis, 'zone_assumed');
  assert.ok((old?.instant.plusMinus ?? 0n) >= 14n * 3_600_000_000_000n);
  assert.equal(when([one]), null);
  const nanos = 1_790_000_000_000_000_000n;
  const stored = { nanos, plusMinus: 0n, basis: 'stamped', clock: 'store', tick: nanos } as const;
  assert.equal(when([stamped], { stampOf: () => stored }), formatNanos(nanos));
  const [row] = readChecks(log([told('2026-09-20T08:00:00Z')], { stampOf: () => stored })).rows;
  assert.equal(row?.instant.nanos, 1_789_891_200_000_000_000n);
  assert.equal(row?.stamp, nanos, 'the store returns it under its own stamp');
});

test('a fact is of the node whose log it is, unless another machine wrote the line', () => {
  const verdict = JSON.stringify({ node: 'node-09', verdict: 'fail', affected_components: [] });
  const node = (line: string, own: string | null) => readChecks(log([line], { node: own })).rows[0]?.node;
  const line = `2026-11-30T12:00:00+00:00 node-02 epilog: ${verdict}`;
  assert.equal(node(verdict, null), 'node-09');
  assert.equal(node(verdict, 'node-09.site.example'), 'node-09.site.example');
  const own = line.replace('node-09', 'node-02');
  assert.equal(node(own, null), 'node-02');
  assert.equal(node(own, 'node-02'), 'node-02');
  assert.equal(node(own, 'node-01'), 'node-02');
});

test('what a machine says of another counts for neither, and that is told', () => {
  const verdict = JSON.stringify({ node: 'node-09', verdict: 'fail', affected_components: [] });
  const line = `2026-11-30T12:00:00+00:00 node-02 epilog: ${verdict}`;
  const members = JSON.parse(verdict);
  const diagnosed = JSON.stringify({ hostname: 'node-09', ...diagnosis });
  const state = { component: 'cpu', machine: 'node-09', states: [{ health: 'Unhealthy', reason: 'x' }] };
  const logs = [
    log([verdict], { node: 'node-01' }),
    log([verdict], { node: 'worker-a' }),
    log([line]),
    log([line], { node: 'node-02' }),
    log([JSON.stringify({ node: 'node-09', NodeVerdict: { ...members, node: undefined } })], {
      node: 'node-02',
    }),
    log([JSON.stringify({ ...members, node: undefined, nodeName: 'gpu-a7' })], { node: 'node-02' }),
    log([diagnosed], { node: 'node-02' }),
    log([JSON.stringify([state])], { node: 'node-02' }),
    log([JSON.stringify({ ...members, hostname: 'node-08' })]),
  ];
  for (const each of logs) {
    const { rows, lost, lines } = readChecks(each);
    assert.deepEqual(rows, []);
    assert.match(lost.join(), /about another node/);
    assert.match(lines.join(), /\{\}$/, 'no rule reads its words either');
  }
});

test('a document of a health check that could not be read is told, any other is not', () => {
  const { lost, rows } = readChecks(log([...printed.slice(0, -3), 'epilog: done']));
  assert.deepEqual(rows, []);
  assert.deepEqual(lost, ['a JSON document that is broken off, or is no JSON, was not read']);
  assert.deepEqual(readChecks(log(printed)).lost, []);
  assert.deepEqual(readChecks(log(['{"component": 1}', 'epilog: {not JSON, nor of a check'])).lost, []);
});

test('of a list each verdict counts for its own node, and what is none is told', () => {
  const verdict = (node: string) => ({
    node,
    affected_components: [{ check_ids: ['xid-79'], category: 'gpu', max_severity: 'fatal' }],
  });
  const list = [verdict('node-01'), verdict('node-02')];
  const both = readChecks(log([JSON.stringify(list)]));
  assert.deepEqual(
    both.rows.map(({ node }) => node),
    ['node-01', 'node-02'],
  );
  assert.deepEqual(both.lost, []);
  const own = readChecks(log([JSON.stringify(list)], { node: 'node-02' }));
  assert.deepEqual(
    own.rows.map(({ node }) => node),
    ['node-02'],
  );
  assert.match(own.lost.join(), /about another node/);
  const mixed = readChecks(log([JSON.stringify([verdict('node-01'), { some: 'other' }])]));
  assert.equal(mixed.rows.length, 1);
  assert.match(mixed.lost.join(), /no form that is known/);
  const wrapped = readChecks(log([JSON.stringify({ items: list })]));
  assert.deepEqual(wrapped.rows, []);
  assert.match(wrapped.lost.join(), /no form that is known/);
});

test('a log without documents comes back as it is', () => {
  const lines = ['epilog[7200]: check gpu-count: PASS (8 of 8)', '{'];
  assert.equal(readChecks(log(lines)).lines, lines);
});
