import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeVerdict } from './node-verdict.ts';

const values = (document: unknown) =>
  nodeVerdict.parse(document)?.results.map(({ field, value }) => `${field}=${value}`);
const component = (severity: unknown, category: unknown, checks: unknown, entities: unknown) => ({
  check_ids: checks,
  entities,
  category,
  max_severity: severity,
});

test('each affected component is told by severity, category, checks and entities', () => {
  const document = {
    node: 'node-03',
    verdict: 'fail',
    affected_components: [
      component('FATAL', 'gpu', ['xid-79', 'gpu-count'], ['GPU-5']),
      component('warning', 'network', ['link'], [{ type: 'port', id: 'mlx5_3' }]),
    ],
  };
  assert.deepEqual(values(document), [
    'node_verdict=fatal gpu GPU 5: xid-79,gpu-count entities GPU-5',
    'node_verdict=warning network: link entities port mlx5_3',
  ]);
  assert.deepEqual(nodeVerdict.parse(document)?.nodes, ['node-03']);
  assert.deepEqual(values({ NodeVerdict: document }), values(document));
});

test('several devices are not told as one', () => {
  const document = { affected_components: [component('fatal', 'gpu', ['xid-79'], ['gpu 1', 'gpu 2'])] };
  assert.deepEqual(values(document), ['node_verdict=fatal gpu: xid-79 entities gpu 1 gpu 2']);
});

test('what passed, was skipped or only informs is left out', () => {
  for (const severity of ['ok', 'PASS', 'info', 'skipped', 'none', null, '']) {
    assert.deepEqual(values({ affected_components: [component(severity, 'gpu', ['x'], [])] }), []);
  }
});

test('a failure that names no component is a failure of the whole', () => {
  assert.deepEqual(values({ verdict: 'FAILED', affected_components: [] }), ['verdict=FAIL']);
  assert.deepEqual(values({ verdict: 'pass', affected_components: [] }), []);
});

test('every name around it or in it is a name of its node', () => {
  const names = (document: unknown) => nodeVerdict.parse(document)?.nodes;
  const verdict = { verdict: 'fail', affected_components: [component('fatal', 'gpu', ['xid-79'], [])] };
  assert.deepEqual(names({ node: 'node-09', NodeVerdict: verdict }), ['node-09']);
  assert.deepEqual(names({ node: 'node-09', NodeVerdict: { ...verdict, hostname: 'node-04' } }), [
    'node-09',
    'node-04',
  ]);
  assert.deepEqual(names({ ...verdict, nodeName: 'node-09' }), ['node-09']);
  assert.deepEqual(names({ ...verdict, metadata: { node: 'node-09' } }), ['node-09']);
  assert.deepEqual(names({ ...verdict, Node: { name: 'node-09' } }), ['node-09']);
  assert.deepEqual(names({ ...verdict, node_id: '7', host_name: 'node-09' }), ['node-09']);
  assert.deepEqual(names({ ...verdict, node_id: 'node-09' }), ['node-09']);
});

test('a verdict that says all is well convicts nothing', () => {
  const affected_components = [component('fatal', 'gpu', ['xid-79'], [])];
  assert.deepEqual(values({ verdict: 'pass', affected_components }), []);
});

test('all that it says is told', () => {
  const entry = { ...component('fatal', 'gpu', ['a'], []), message: 'ok', description: 'probe timed out' };
  assert.deepEqual(values({ affected_components: [entry] }), ['node_verdict=fatal gpu: a ok probe timed out']);
});

test('other documents are none', () => {
  for (const other of [null, 1, [], {}, { verdict: 'fail' }, { affected_components: 'x' }, { check_ids: [] }]) {
    assert.equal(nodeVerdict.parse(other), null);
  }
});

test('never throws, and every value is one line of bounded length', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 4 }), fc.string(), (any, text) => {
      const list = [any, component('fatal', any, any, [any, text]), component(text, text, [text, any], any)];
      for (const value of values({ node: any, verdict: text, affected_components: list }) ?? []) {
        assert.ok(value.length < 8192);
        assert.doesNotMatch(value, /[\n\r]/);
      }
    }),
    { numRuns: 500 },
  );
});
