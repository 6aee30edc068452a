import assert from 'node:assert/strict';
import { test } from 'node:test';
import { episodeOf, historyRow } from '../../tests/support/history-store-suite.ts';
import { historyRowToWire, readHistoryRows } from './index.ts';

test('rows read back as they were written', () => {
  const rows = [
    historyRow(episodeOf('a'), { uuid: 'GPU-1', finding: 'pcie', alike: 3 }),
    historyRow(episodeOf('b', 2), { pci: null, code: null, strength: null }),
  ];
  assert.deepEqual(readHistoryRows(JSON.stringify(rows.map(historyRowToWire))), rows);
});

test('what can be left out has a default, what cannot makes the list none', () => {
  const least = { workload_id: '1', workflow_id: 'w', node: 'n', symptom: 's', at: '2026-09-09T12:00:00Z' };
  assert.deepEqual(
    readHistoryRows(JSON.stringify([least]))?.map(({ cluster, alike, title }) => ({ cluster, alike, title })),
    [{ cluster: 'unknown', alike: 1, title: 's' }],
  );
  for (const name of Object.keys(least)) {
    assert.equal(readHistoryRows(JSON.stringify([{ ...least, [name]: undefined }])), null);
  }
  for (const json of ['', '{}', '[1]']) assert.equal(readHistoryRows(json), null);
});
