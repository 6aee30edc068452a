import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { type ProviderState, working } from '../core/readiness.ts';
import { createReadiness } from './readiness.ts';

const twoSources: ProviderState = {
  ...working,
  sources: [
    { source: 'logs', works: true, reason: null },
    { source: 'metrics', works: false, reason: 'refused the connection' },
  ],
};

function readinessOf(
  clock: ReturnType<typeof fakeClock>,
  change: { readonly state?: () => Promise<ProviderState>; readonly prove?: () => Promise<void> } = {},
) {
  const state = change.state ?? (async () => twoSources);
  return createReadiness({
    provider: { kind: 'rules', state },
    proveStore: change.prove ?? (async () => {}),
    clock,
  });
}

test('a broken source is told with its reason and leaves the service ready', async () => {
  const look = await readinessOf(fakeClock()).look();
  assert.equal(look.ready, true);
  assert.deepEqual(look.sources, twoSources.sources);
});

test('a store or a provider that fails is told with its reason, and the service is not ready', async () => {
  const noStore = async () => Promise.reject(new Error('no space is left for it'));
  const store = await readinessOf(fakeClock(), { prove: noStore }).look();
  assert.equal(store.ready, false);
  assert.deepEqual(store.store, { works: false, reason: 'no space is left for it' });
  assert.equal(store.provider.works, true);

  const noProvider = async () => Promise.reject(new Error('gone'));
  const provider = await readinessOf(fakeClock(), { state: noProvider }).look();
  assert.equal(provider.ready, false);
  assert.equal(provider.provider.reason, 'gone');
});

test('a provider without a state of its own works', async () => {
  const parts = { provider: { kind: 'replay' }, proveStore: async () => {}, clock: fakeClock() };
  assert.equal((await createReadiness(parts).look()).ready, true);
});

test('many askers make one look; what is broken is looked at again sooner than what works', async () => {
  const clock = fakeClock();
  let looks = 0;
  let works = true;
  const readiness = readinessOf(clock, {
    state: async () => {
      looks += 1;
      return { works, reason: works ? null : 'broken', sources: [] };
    },
  });
  await Promise.all([readiness.look(), readiness.look(), readiness.look()]);
  await clock.advance(14_999);
  await readiness.look();
  assert.equal(looks, 1);
  works = false;
  await clock.advance(1);
  assert.equal((await readiness.look()).ready, false);
  works = true;
  await clock.advance(3_000);
  assert.equal((await readiness.look()).ready, true);
  assert.equal(looks, 3);
});

test('a look that takes long does not hold up who asks: what was seen last is told meanwhile', async () => {
  const clock = fakeClock();
  let slow = false;
  const aborted: boolean[] = [];
  const readiness = createReadiness({
    provider: {
      kind: 'rules',
      state: signal =>
        slow
          ? new Promise(resolve => {
              signal.addEventListener('abort', () => {
                aborted.push(true);
                resolve({ works: false, reason: 'too slow', sources: [] });
              });
            })
          : Promise.resolve(twoSources),
    },
    proveStore: async () => {},
    clock,
  });
  await readiness.look();
  slow = true;
  await clock.advance(15_000);
  const meanwhile = readiness.look();
  await clock.advance(800);
  assert.equal((await meanwhile).ready, true);
  await clock.advance(4_200);
  assert.deepEqual(aborted, [true]);
  assert.equal((await readiness.look()).provider.reason, 'too slow');
});

test('one that is about to end is not ready', async () => {
  const readiness = readinessOf(fakeClock());
  readiness.end();
  assert.equal((await readiness.look()).ready, false);
});
