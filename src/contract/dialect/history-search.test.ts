import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readHistorySearch, renderHistoryHits, renderSearchRefused } from './history-search.ts';

const read = (body: unknown) => {
  const asked = readHistorySearch(body);
  assert.ok(asked.ok, asked.ok ? '' : asked.says);
  return asked.search;
};
const filters = (...filter: unknown[]) => ({ query: { bool: { filter } } });
const at = (text: string): bigint => BigInt(Date.parse(text)) * 1_000_000n;
const all = {
  cluster: null,
  nodes: null,
  from: null,
  to: null,
  skip: 0,
  size: 10,
  fields: ['cluster', 'node', 'episode_id', 'event_time'],
};

test('the request of the public client is read', () => {
  const body = {
    size: 10_000,
    _source: ['cluster', 'node', 'episode_id', 'event_time'],
    query: {
      bool: {
        filter: [
          { term: { cluster: 'gpu-a' } },
          { terms: { node: ['node-01', 'node-02'] } },
          {
            range: {
              event_time: { gte: '2026-03-01T00:00:00.250000+00:00', lt: '2026-03-15T00:00:00.250000+00:00' },
            },
          },
        ],
      },
    },
  };
  assert.deepEqual(read(body), {
    ...all,
    cluster: 'gpu-a',
    nodes: ['node-01', 'node-02'],
    from: at('2026-03-01T00:00:00.250Z'),
    to: at('2026-03-15T00:00:00.250Z'),
    size: 10_000,
  });
});

test('without filters all is asked for, ten at a time', () => {
  for (const body of [{}, { query: { match_all: {} } }, { query: { bool: {} } }, filters()]) {
    assert.deepEqual(read(body), all);
  }
  assert.deepEqual(read({ from: 20, size: 5 }), { ...all, skip: 20, size: 5 });
  assert.deepEqual(read({ _source: 'node' }).fields, ['node']);
});

test('several filters narrow one another', () => {
  const node = (...nodes: string[]) => ({ terms: { node: nodes } });
  const range = (bounds: object) => ({ range: { event_time: bounds } });
  assert.deepEqual(read(filters(node('a', 'b'), node('b', 'c'))).nodes, ['b']);
  assert.deepEqual(read(filters({ term: { 'node.keyword': { value: 'a' } } }, node('b'))).nodes, []);
  assert.deepEqual(read(filters({ term: { cluster: 'x' } }, { term: { cluster: 'x' } })), {
    ...all,
    cluster: 'x',
  });
  assert.deepEqual(read(filters({ term: { cluster: 'x' } }, { term: { cluster: 'y' } })).nodes, []);
  const bool = { must: range({ gte: 5, gt: 2, lt: 9 }), filter: [range({ lte: 7, gte: 1 })] };
  const { from, to } = read({ query: { bool } });
  assert.deepEqual([from, to], [5_000_000n, 7_000_001n]);
});

test('whatever is not served is refused by its name', () => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [null, /^the body must be a JSON object$/],
    [[], /^the body must be a JSON object$/],
    [{ post_filter: { term: { node: 'a' } } }, /^\[post_filter\] is not served$/],
    [{ sort: [] }, /^\[sort\]/],
    [{ aggs: {} }, /^\[aggs\]/],
    [{ size: -1 }, /^\[size\]: must be a whole number/],
    [{ size: '10' }, /^\[size\]/],
    [{ from: 1.5 }, /^\[from\]/],
    [{ from: 9_000, size: 2_000 }, /^\[from\] \+ \[size\]: must be at most 10000$/],
    [{ _source: ['node', 'tenant'] }, /^\[_source\]/],
    [{ _source: false }, /^\[_source\]/],
    [{ _source: { includes: ['node'] } }, /^\[_source\]/],
    [{ query: null }, /^\[query\]/],
    [{ query: {} }, /^\[query\]/],
    [{ query: { match_all: {}, term: { node: 'a' } } }, /^\[query\.term\]/],
    [{ query: { match_none: {} } }, /^\[query\.match_none\]/],
    [{ query: { query_string: { query: '*' } } }, /^\[query\.query_string\.query\]/],
    [{ query: { bool: { must_not: [] } } }, /^\[query\.bool\.must_not\] is not served$/],
    [{ query: { bool: { filter: [], should: [] } } }, /^\[query\.bool\.should\]/],
    [
      { query: { bool: { filter: [{ bool: { filter: [] } }] } } },
      /^\[query\.bool\.filter\[0\]\.bool\.filter\]/,
    ],
    [filters({ term: { tenant: 'x' } }), /^\[query\.bool\.filter\[0\]\.term\.tenant\]/],
    [
      filters({ term: { node: 'a' } }, { exists: { field: 'node' } }),
      /^\[query\.bool\.filter\[1\]\.exists\.field\]/,
    ],
    [filters({ term: { node: 'a', cluster: 'b' } }), /\.term\.cluster\]/],
    [filters({ term: { node: 'a' }, terms: { node: ['b'] } }), /\[0\]\.terms\]/],
    [
      filters({ term: { node: { value: 'a', case_insensitive: true } } }),
      /\.case_insensitive\] is not served$/,
    ],
    [filters({ term: { node: 7 } }), /\.term\.node\]: must be an object$/],
    [filters({ terms: { node: 'a' } }), /\.terms\.node\]: must be a list of texts$/],
    [filters({ terms: { node: ['a', 7] } }), /\.terms\.node\]: must be a list of texts$/],
    [filters({ terms: { node: ['a'], boost: 2 } }), /\.terms\.boost\]/],
    [filters({ terms: { cluster: ['a'] } }), /\.terms\.cluster\]/],
    [filters({ range: { event_time: { gte: 'now-14d' } } }), /\.event_time\.gte\]: must be a datetime/],
    [
      filters({ range: { event_time: { gte: 5, time_zone: '+01:00' } } }),
      /\.event_time\.time_zone\] is not served$/,
    ],
    [filters({ range: { event_time: null } }), /\.event_time\]: must be an object$/],
    [filters({ range: { node: { gte: 'a' } } }), /\.range\.node\]/],
    [filters('node'), /^\[query\.bool\.filter\[0\]\]/],
  ];
  for (const [body, says] of refused) {
    const asked = readHistorySearch(body);
    assert.equal(asked.ok, false, JSON.stringify(body));
    if (!asked.ok) assert.match(asked.says, says);
  }
});

test('whatever the body, it is read or refused', () => {
  fc.assert(fc.property(fc.jsonValue(), body => void readHistorySearch(body)));
  const member = fc.constantFrom(
    'bool',
    'filter',
    'must',
    'term',
    'terms',
    'range',
    'node',
    'event_time',
    'gte',
    'query',
  );
  const { tree } = fc.letrec<{ tree: unknown }>(tie => ({
    tree: fc.oneof(fc.constantFrom('a', 7, null), fc.array(tie('tree')), fc.dictionary(member, tie('tree'))),
  }));
  fc.assert(fc.property(tree, query => void readHistorySearch({ query })));
});

test('null is no way to leave a member out', () => {
  for (const body of [
    { query: null },
    { query: { bool: { filter: null } } },
    { query: { bool: { must: null, filter: [] } } },
    { query: { bool: { filter: [null] } } },
    { size: null },
    { from: null },
    { _source: null },
  ]) {
    assert.equal(readHistorySearch(body).ok, false, JSON.stringify(body));
  }
});

test('hits and refusals have the form that clients of Elasticsearch read', () => {
  const hit = { cluster: 'gpu-a', node: 'node-01', jobId: '7', cycle: 3, at: at('2026-03-01T00:00:00Z') };
  const body = renderHistoryHits({ hits: [hit], total: 4, isTotalExact: false }, [
    'node',
    'episode_id',
    'event_time',
  ]);
  assert.deepEqual(JSON.parse(body).hits, {
    total: { value: 4, relation: 'gte' },
    max_score: null,
    hits: [{ _source: { node: 'node-01', episode_id: '7_3', event_time: '2026-03-01T00:00:00Z' } }],
  });
  const cause = { type: 'parsing_exception', reason: '[sort] is not served' };
  assert.deepEqual(JSON.parse(renderSearchRefused('[sort] is not served')), {
    error: { root_cause: [cause], ...cause },
    status: 400,
  });
});
