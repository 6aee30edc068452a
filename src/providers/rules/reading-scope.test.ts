import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSlowRequest } from '../../../tests/support/sample-request.ts';
import { sampleSession } from '../../../tests/support/sample-session.ts';
import { scopeOfRequest } from './reading-scope.ts';
import { defaultWindowSettings } from './windows.ts';

test('slow reads again what was not complete, and everything where the session holds nothing of it', () => {
  const request = sampleSlowRequest();
  const session = sampleSession('a');
  const scope = (forgotten?: 'read' | 'pushed') =>
    scopeOfRequest(
      request,
      { ...session, ...(forgotten === undefined ? {} : { forgotten }) },
      session.moment,
      defaultWindowSettings,
    );
  assert.deepEqual(scope().only, []);
  for (const forgotten of ['read', 'pushed'] as const) {
    assert.equal(scope(forgotten).only, null);
    assert.deepEqual(scope(forgotten).windows, session.windows);
  }
});
