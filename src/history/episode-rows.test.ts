import assert from 'node:assert/strict';
import { test } from 'node:test';
import { episodeOf } from '../../tests/support/history-store-suite.ts';
import { sampleOutcome, sampleSymptom } from '../../tests/support/sample-session.ts';
import type { Symptom } from '../core/symptom.ts';
import { episodeRows } from './episode-rows.ts';

const episode = episodeOf('a');
const moment = 5n;
const ambiguous: Partial<Symptom> = {
  symptom: 'gpu-page-fault',
  code: 'xid-31',
  strength: 'S4',
  blames: 'job',
  role: 'unknown',
};

test('a node and device has its strongest unexplained symptom, ambiguous ones included', () => {
  const symptoms = [
    sampleSymptom({ id: '1', ...ambiguous }),
    sampleSymptom({ id: '2', ...ambiguous, strength: 'S3', symptom: 'gpu-nvlink-down' }),
    sampleSymptom({ id: '3', ...ambiguous, node: 'node-02' }),
    sampleSymptom({ id: '4', ...ambiguous, node: 'node-02', device: null, symptom: 'disk-full' }),
  ];
  const rows = episodeRows(episode, { moment, symptoms }, []);
  assert.deepEqual(
    rows.map(({ node, pci, symptom, finding, at }) => ({ node, pci, symptom, finding, at })),
    [
      { node: 'node-01', pci: '0000:b3:00', symptom: 'gpu-nvlink-down', finding: null, at: moment },
      { node: 'node-02', pci: '0000:b3:00', symptom: 'gpu-page-fault', finding: null, at: moment },
      { node: 'node-02', pci: null, symptom: 'disk-full', finding: null, at: moment },
    ],
  );
  assert.equal(rows[1]?.alike, 2);
});

test('what follows from something else, belongs to the end or convicts nobody is not remembered', () => {
  const symptoms = [
    sampleSymptom({ id: '1', role: 'cascade' }),
    sampleSymptom({ id: '2', role: 'teardown' }),
    sampleSymptom({ id: '3', role: 'context' }),
    sampleSymptom({ id: '4', ruleRole: 'victim' }),
    sampleSymptom({ id: '5', strength: 'S5' }),
    sampleSymptom({ id: '6', node: null }),
  ];
  assert.deepEqual(episodeRows(episode, { moment, symptoms }, []), []);
});

test('a named node is remembered with its finding, also where nothing of ours was seen on it', () => {
  const { findings } = sampleOutcome();
  const seen = episodeRows(episode, { moment, symptoms: [sampleSymptom()] }, findings);
  assert.deepEqual(
    seen.map(({ node, finding, strength }) => ({ node, finding, strength })),
    [{ node: 'node-01', finding: 'accelerator_gpu', strength: 'S1' }],
  );
  const unseen = episodeRows(episode, { moment, symptoms: [] }, findings);
  assert.deepEqual(
    unseen.map(({ node, finding, strength }) => ({ node, finding, strength })),
    [{ node: 'node-01', finding: 'accelerator_gpu', strength: null }],
  );
});
