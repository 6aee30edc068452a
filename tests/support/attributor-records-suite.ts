import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttributorRecords } from '../../src/core/attributor.ts';
import type { SessionStore } from '../../src/core/ports.ts';
import { sampleRequest } from './sample-request.ts';
import { sampleSession } from './sample-session.ts';

interface RecordsUnderTest {
  readonly records: AttributorRecords;
  readonly sessions: SessionStore;
  close(): Promise<void>;
}

/** What every store of attributors promises; run from their test file. */
export function attributorRecordsSuite(name: string, open: () => Promise<RecordsUnderTest>): void {
  function check(claim: string, run: (under: RecordsUnderTest) => Promise<void>): void {
    test(`${name}: ${claim}`, async () => {
      const under = await open();
      try {
        await under.sessions.open(sampleSession('a'));
        await under.records.save({ id: 'a', caller: 'one', request: sampleRequest() });
        await run(under);
      } finally {
        await under.close();
      }
    });
  }

  check('a record comes back as it was saved, an unknown one does not', async ({ records }) => {
    assert.deepEqual(await records.get('a'), { id: 'a', caller: 'one', request: sampleRequest() });
    assert.equal(await records.get('b'), null);
  });

  check('texts of any kind come back, zeros and marks included', async ({ records, sessions }) => {
    const record = {
      id: 'odd',
      caller: null,
      request: sampleRequest({ workloadId: 'of \u0000, \u0001 and \u00010' }),
    };
    await sessions.open(sampleSession('odd'));
    await records.save(record);
    assert.deepEqual(await records.get('odd'), record);
  });

  check('observations are kept by record and name, once', async ({ records }) => {
    const [one, two] = [Uint8Array.of(0, 1, 255), Uint8Array.of(2)];
    await records.keep('a', []);
    await records.keep('a', [
      { id: 'x', bytes: one },
      { id: 'y', bytes: two },
    ]);
    await records.keep('a', [{ id: 'x', bytes: one }]);
    assert.deepEqual(Uint8Array.from((await records.kept('a', 'x')) ?? []), one);
    assert.deepEqual(Uint8Array.from((await records.kept('a', 'y')) ?? []), two);
    assert.equal(await records.kept('a', 'z'), null);
    assert.equal(await records.kept('b', 'x'), null);
  });
}
