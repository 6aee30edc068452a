import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { sampleSession, sampleSymptom } from '../../tests/support/sample-session.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import type { Symptom } from '../core/symptom.ts';
import { defaultHistoryLimits } from './history-limits.ts';
import { memoryHistory } from './memory-history.ts';
import { rememberIn } from './remember.ts';

test('an answer that saw nothing for want of evidence takes nothing back, one that read and found nothing does', async () => {
  const clock = fakeClock();
  const store = memoryHistory({ clock }, defaultHistoryLimits);
  const remember = rememberIn(store, 'unknown', silentLog);
  const known = async () =>
    (await store.find({ cluster: null, nodes: null, uuids: [], from: 0n, to: clock.now(), limit: 10 })).length;
  const session = { ...sampleSession('s-1'), symptoms: [], moment: clock.now() - 1n };
  await remember(session, outcome({ findings: [finding()] }));
  assert.equal(await known(), 1);
  await remember(
    session,
    outcome({ problem: { type: 'insufficient_telemetry', message: 'nothing was read' } }),
  );
  assert.equal(await known(), 1);
  await remember(session, outcome());
  assert.equal(await known(), 0);
});

test('an answer that lacked something adds to what is known and takes back only what it saw and explained', async () => {
  const clock = fakeClock();
  const store = memoryHistory({ clock }, defaultHistoryLimits);
  const remember = rememberIn(store, 'unknown', silentLog);
  const ask = { cluster: null, nodes: null, uuids: [], from: 0n, to: clock.now(), limit: 10 };
  const known = async () =>
    (await store.find(ask)).map(({ node, symptom, finding: named }) => [node, symptom, named]);
  const session = (...symptoms: Symptom[]) => ({ ...sampleSession('s-1'), symptoms, moment: clock.now() - 1n });
  const strong = (node: string, change: Partial<Symptom> = {}) =>
    sampleSymptom({
      id: node,
      node,
      device: null,
      symptom: 'gpu-fell-off',
      strength: 'S1',
      role: 'initiating',
      ...change,
    });
  const weak = (node: string) =>
    sampleSymptom({
      id: `weak ${node}`,
      node,
      device: null,
      symptom: 'gpu-page-fault',
      strength: 'S4',
      role: 'unknown',
    });
  const category = 'accelerator_gpu';
  const lacking = (type: 'insufficient_telemetry' | 'timeout', ...nodes: string[]) =>
    outcome({
      findings: nodes.map(node => finding(node, { category })),
      problem: { type, message: 'not all was read' },
    });

  await remember(session(strong('node-01')), outcome({ findings: [finding('node-01', { category })] }));
  await remember(session(weak('node-01'), weak('node-02')), lacking('insufficient_telemetry'));
  assert.deepEqual(await known(), [
    ['node-01', 'gpu-fell-off', category],
    ['node-02', 'gpu-page-fault', null],
  ]);
  await remember(session(strong('node-02')), lacking('timeout', 'node-02'));
  assert.deepEqual(await known(), [
    ['node-01', 'gpu-fell-off', category],
    ['node-02', 'gpu-fell-off', category],
  ]);
  const explained = strong('node-01', { role: 'cascade' });
  await remember(session(explained, weak('node-03')), lacking('insufficient_telemetry'));
  assert.deepEqual(await known(), [
    ['node-02', 'gpu-fell-off', category],
    ['node-03', 'gpu-page-fault', null],
  ]);
  await remember(session(), outcome());
  assert.deepEqual(await known(), []);
});
