import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finding, outcome } from '../../tests/support/adapter-under-test.ts';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { sampleSession } from '../../tests/support/sample-session.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
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
