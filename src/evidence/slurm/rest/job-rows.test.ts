import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { schedulerDating } from '../record-rows.ts';
import { accountingRows, liveJobRows } from './job-rows.ts';
import { maintenanceOf, nodeRows } from './node-rows.ts';

const dating = schedulerDating('slurm');

test('a job that still runs has no end, though its limit is written as one', () => {
  const job = { job_id: 7, job_state: ['RUNNING'], nodes: 'n1', start_time: 100, end_time: 5000 };
  const fields = liveJobRows([job], dating).map(({ field }) => field);
  assert.ok(!fields.includes('end_time'));
  assert.ok(fields.includes('start_time'));
});

test('a list of devices that does not match the list of nodes places none', () => {
  const job = { job_id: 7, job_state: 'FAILED', nodes: 'n[1-3]', gres_detail: ['gpu:8(IDX:0-7)'] };
  assert.ok(liveJobRows([job], dating).every(({ field }) => field !== 'gres_idx'));
});

test('a text quotes the whole record on one line', () => {
  const job = { job_id: 7, job_state: 'FAILED', state_reason: 'a\nb', nodes: 'n1' };
  const [row] = liveJobRows([job], dating);
  assert.equal(row?.text, 'JobId=7 JobState=FAILED Reason=a b NodeList=n1');
});

test('whatever a server sends, nothing throws and every row has name, field and value', () => {
  const anything = fc.jsonValue({ maxDepth: 4 }).map(value => value as unknown);
  const keys = [
    'job_id',
    'state',
    'job_state',
    'array',
    'het',
    'nodes',
    'steps',
    'step',
    'exit_code',
    'time',
    'name',
    'flags',
    'node_list',
    'gres_detail',
  ];
  const record = fc.dictionary(fc.constantFrom(...keys), anything);
  fc.assert(
    fc.property(fc.array(fc.oneof(record, anything), { maxLength: 4 }), items => {
      const rows = [
        ...accountingRows(items, dating),
        ...liveJobRows(items, dating),
        ...nodeRows(items, () => true, dating),
      ];
      for (const { name, field, value } of rows) {
        assert.ok(name !== '' && field !== '' && value !== '');
      }
      assert.ok(maintenanceOf(items, dating).every(({ nodes }) => nodes !== ''));
    }),
  );
});
