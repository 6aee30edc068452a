import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectionFamily } from './detection-family.ts';

test('signals fall into families by whole words, without case', () => {
  const families = {
    application_error: 'crash',
    CRASH: 'crash',
    '': 'crash',
    changed_state: 'crash',
    'Job Hang': 'hang',
    NODE_HUNG: 'hang',
    'progress-stalled': 'hang',
    STRAGGLER: 'straggler',
    'sustained throughput loss': 'straggler',
    slowly_written: 'crash',
  };
  for (const [signal, family] of Object.entries(families))
    assert.equal(detectionFamily(signal), family, signal);
});
