import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRequest } from '../../../tests/support/sample-request.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Provider, ProviderContext } from '../../core/ports.ts';
import { swappableProvider } from './swappable-provider.ts';

const outcome: Outcome = { findings: [], unattributed: [], coverage: [], problem: null };
const context = {} as ProviderContext;
const never = (error: unknown): void => assert.fail(String(error));

/** A provider that answers when told to, and says when it is closed. */
function fakeProvider(hash: string) {
  const answers: (() => void)[] = [];
  const seen = { asked: 0, closed: 0 };
  const provider: Provider = {
    kind: 'rules',
    corpusHash: hash,
    attribute() {
      seen.asked += 1;
      return new Promise(resolve => answers.push(() => resolve(outcome)));
    },
    async close() {
      seen.closed += 1;
    },
  };
  return { provider, seen, answer: () => answers.shift()?.() };
}

test('what is asked after the swap is asked of the next one', async () => {
  const [one, two] = [fakeProvider('1'), fakeProvider('2')];
  const swappable = swappableProvider(one.provider, never);
  assert.equal(swappable.corpusHash, '1');
  swappable.swap(two.provider);
  assert.equal(swappable.corpusHash, '2');
  const asked = swappable.attribute(sampleRequest(), context);
  two.answer();
  assert.equal(await asked, outcome);
  assert.deepEqual(
    [one.seen, two.seen],
    [
      { asked: 0, closed: 1 },
      { asked: 1, closed: 0 },
    ],
  );
});

test('one that still answers is closed when it has', async () => {
  const [one, two] = [fakeProvider('1'), fakeProvider('2')];
  const swappable = swappableProvider(one.provider, never);
  const first = swappable.attribute(sampleRequest(), context);
  const second = swappable.attribute(sampleRequest(), context);
  swappable.swap(two.provider);
  one.answer();
  await first;
  assert.equal(one.seen.closed, 0);
  one.answer();
  await second;
  assert.equal(one.seen.closed, 1);
});

test('closing closes the last one', async () => {
  const [one, two] = [fakeProvider('1'), fakeProvider('2')];
  const swappable = swappableProvider(one.provider, never);
  swappable.swap(two.provider);
  await swappable.close?.();
  assert.deepEqual([one.seen.closed, two.seen.closed], [1, 1]);
});

test('a failure to close a retired one is told, not thrown', async () => {
  const told: unknown[] = [];
  const broken: Provider = { ...fakeProvider('1').provider, close: () => Promise.reject(new Error('stuck')) };
  const swappable = swappableProvider(broken, error => told.push(error));
  swappable.swap(fakeProvider('2').provider);
  await swappable.close?.();
  assert.match(String(told[0]), /stuck/);
});
