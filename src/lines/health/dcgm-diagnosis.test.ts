import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dcgmDiagnosis } from './dcgm-diagnosis.ts';

const diagnosis = (...tests: readonly unknown[]) => ({
  'DCGM Diagnostic': { test_categories: [{ category: 'Hardware', tests }] },
});
const values = (document: unknown) => dcgmDiagnosis.parse(document)?.results.map(({ value }) => value);
const rated = (warning: string, category: unknown, severity: unknown) => ({
  warning,
  error_id: 43,
  error_category: category,
  error_severity: severity,
});

test('each warning has the rating that the document gives it, and the entity that it is about', () => {
  const results = [
    {
      entity_group: 'GPU',
      entity_id: 3,
      status: 'Fail',
      warnings: [rated('cells', 10, 2), rated('heat', 9, 1)],
    },
    { entity_group: 'Switch', entity_id: 1, status: 'Fail', warnings: [rated('link', 12, 6)] },
    { entity_group: 'GPU', entity_id: 4, status: 'Pass' },
  ];
  assert.deepEqual(values(diagnosis({ name: 'memory', results })), [
    'isolate memory fail GPU 3: cells',
    'monitor thermal fail GPU 3: heat',
    'reset nvswitch fail Switch 1: link',
  ]);
});

test('a warning inside a pass is read; what was skipped or never ran is not', () => {
  const warnings = [rated('rows', 10, 2)];
  const one = (status: string) =>
    values(diagnosis({ name: 'x', results: [{ gpu_id: '1', status, warnings }] }));
  assert.deepEqual(one('Pass'), ['isolate memory pass GPU 1: rows']);
  for (const status of ['Skip', 'SKIPPED', 'Not Run', 'Not supported', '']) assert.deepEqual(one(status), []);
});

test('the older form has a text and lists of GPUs, and rates nothing', () => {
  const old = {
    'DCGM GPU Diagnostic': {
      test_categories: [
        {
          category: 'Integration',
          tests: [
            {
              name: 'Memory',
              results: [
                { gpu_ids: '0,1,3', status: 'Fail', warnings: 'Found 2 faulty memory elements on GPU 3' },
                { gpu_ids: '2', status: 'Fail', warnings: ['one', 'two'] },
                { gpu_ids: '4', status: 'Fail', info: 'no more is known' },
                { gpu_ids: '5', status: 'Pass', info: 'all is well' },
              ],
            },
          ],
        },
      ],
    },
  };
  assert.deepEqual(values(old), [
    'unrated unclassed fail GPU 3: Found 2 faulty memory elements on GPU 3',
    'unrated unclassed fail GPU 2: one',
    'unrated unclassed fail GPU 2: two',
    'unrated unclassed fail GPU 4: no more is known',
  ]);
});

test('ratings come as numbers or as text, and one that nobody knows is called so', () => {
  const results = [{ entity_id: 0, status: 'Fail', warnings: [rated('a', '10', '2'), rated('b', 99, 42)] }];
  assert.deepEqual(values(diagnosis({ name: 'x', results })), [
    'isolate memory fail GPU 0: a',
    'unknown unknown fail GPU 0: b',
  ]);
});

test('a summary counts only where there are no results, and an error of the tool is one of software', () => {
  const summary = { status: 'Fail', warnings: [rated('no permission', 3, 5)] };
  assert.deepEqual(values(diagnosis({ name: 'software', results: [], test_summary: summary })), [
    'config configuration fail: no permission',
  ]);
  assert.deepEqual(values({ 'DCGM Diagnostic': { runtime_error: 'no host engine' } }), [
    'none software error: no host engine',
  ]);
});

test('other documents are none, whatever they hold', () => {
  for (const other of [null, 1, [], {}, { 'DCGM Diagnostic': 'x' }, { test_categories: [] }]) {
    assert.equal(dcgmDiagnosis.parse(other), null);
  }
});

test('never throws, and every value is one line of bounded length', () => {
  const shape = fc.object({ maxDepth: 6, withBigInt: false });
  fc.assert(
    fc.property(fc.anything({ maxDepth: 5 }), shape, fc.string(), (any, object, text) => {
      const document = diagnosis(
        any,
        { name: text, results: [any, object] },
        {
          name: any,
          results: [
            { status: 'Fail', entity_id: any, warnings: [any, object, { warning: text, error_severity: any }] },
          ],
        },
      );
      for (const value of values(document) ?? []) {
        assert.ok(value.length < 4096);
        assert.doesNotMatch(value, /[\n\r]/);
      }
    }),
    { numRuns: 500 },
  );
});
