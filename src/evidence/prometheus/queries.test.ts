import assert from 'node:assert/strict';
import { test } from 'node:test';
import { second } from '../../core/time.ts';
import type { FamilyNodes } from './family.ts';
import {
  centreQuery,
  countQuery,
  livenessQuery,
  presenceQuery,
  screenQuery,
  selectorOfAny,
} from './queries.ts';
import { halvesOf, selectionsOf } from './selections.ts';

const window = { from: 0n, to: 1020n * second };
const cluster = [{ label: 'cluster', operator: '=', value: 'a' }] as const;
const screenOf = (when: Parameters<typeof screenQuery>[0]['when'], threshold: number, centre = 0): string =>
  screenQuery({ when, threshold }, 'm', cluster, 'host', window, centre, 65);

test('a screen mirrors the condition of its rule', () => {
  assert.equal(screenOf('changed', 0), 'topk(65, max by (host) (changes(m{cluster="a"}[1020s])) > 0)');
  assert.equal(screenOf('increased_by', 10), 'topk(65, max by (host) (increase(m{cluster="a"}[1020s])) >= 10)');
  assert.equal(screenOf('above', 95), 'topk(65, max by (host) (max_over_time(m{cluster="a"}[1020s])) > 95)');
  assert.equal(
    screenOf('below', 0.5),
    'bottomk(65, min by (host) (min_over_time(m{cluster="a"}[1020s])) < 0.5)',
  );
  assert.equal(
    screenOf('away_from_median_by', 400, 1970.5),
    'topk(65, max by (host) (abs(quantile_over_time(0.5, m{cluster="a"}[1020s]) - 1970.5)) >= 400)',
  );
  assert.match(screenOf('away_from_median_by', 4, -2), / - \(-2\)\)/);
});

test('the other questions', () => {
  assert.equal(
    presenceQuery('m', [], ['a', 'b'], window),
    'count by (a, b) (max_over_time(m{}[1020s]) >= -Inf)',
  );
  assert.equal(countQuery('m', [], ['a', 'b'], window), 'sum by (a, b) (count_over_time(m{}[1020s]))');
  assert.equal(presenceQuery('up', [], ['a'], window), 'sum by (a) (sum_over_time(up{}[1020s]))');
  assert.equal(livenessQuery('up', cluster, ['a']), 'count by (a) (up{cluster="a"} == 1)');
  assert.equal(centreQuery('m', [], window), 'quantile(0.5, quantile_over_time(0.5, m{}[1020s]))');
  assert.equal(selectorOfAny(['a', 'b'], cluster), '{__name__=~"a|b",cluster="a"}');
  assert.match(presenceQuery('m', [], ['a'], { from: 0n, to: 1_500_000_000n }), /\[1500ms\]/);
});

function family(values: readonly string[]): FamilyNodes {
  return {
    family: { prefix: 'm', needs: [] },
    label: 'host',
    wanted: new Map(),
    job: [],
    values,
    samples: new Map(),
    stopped: [],
    trouble: null,
  };
}

const matchersFor = (values: readonly string[], raws: readonly string[], bytes = 1000) =>
  selectionsOf(family(values), raws, [], bytes).map(({ matchers }) =>
    matchers.map(({ operator, value }) => `${operator}${value}`).join(),
  );

test('the smaller side of a cluster is named, nobody where all are wanted', () => {
  assert.deepEqual(matchersFor(['a', 'b'], ['a', 'b']), ['']);
  assert.deepEqual(matchersFor(['a', 'b', 'c'], ['a']), ['=a']);
  assert.deepEqual(matchersFor(['a', 'b', 'c'], ['a', 'b']), ['!=c']);
  assert.deepEqual(matchersFor(['a.x', 'b', 'c', 'd', 'e'], ['a.x', 'b']), ['=~a\\.x|b']);
  assert.deepEqual(matchersFor(['a', 'b'], []), []);
});

test('names that do not fit one query go into several, and those that do not may be halved', () => {
  const values = Array.from({ length: 40 }, (_, index) => `node-${index + 10}`);
  const wanted = values.slice(0, 10);
  const parts = selectionsOf(family(values), wanted, [], 30);
  assert.ok(parts.length > 2);
  assert.deepEqual(
    parts.flatMap(({ raws }) => raws),
    wanted,
  );
  const [first] = selectionsOf(family(values), wanted, [], 1000);
  assert.ok(first !== undefined);
  const halves = halvesOf(first, 'host', []) ?? [];
  assert.deepEqual(
    halves.map(({ raws }) => raws.length),
    [5, 5],
  );
  assert.equal(halvesOf({ raws: ['a'], matchers: [] }, 'host', []), null);
});
