import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gpudStates } from './gpud-states.ts';

const values = (...documents: readonly unknown[]) =>
  documents.flatMap(document => gpudStates.parse(document)?.results.map(({ value }) => value) ?? []);
const component = (name: string, ...states: readonly unknown[]) => ({ component: name, states });

test('an action that allows for an application, or asks for nothing, counts before any other', () => {
  const told = (...given: readonly string[]) =>
    values(component('x', { health: 'Unhealthy', reason: 'r', suggested_actions: { repair_actions: given } }));
  assert.deepEqual(told('CHECK_USER_APP_AND_GPU', 'REBOOT_SYSTEM'), ['unhealthy check_user_app_and_gpu x: r']);
  assert.deepEqual(told('HARDWARE_INSPECTION', 'CHECK_USER_APP_AND_GPU'), [
    'unhealthy check_user_app_and_gpu x: r',
  ]);
  assert.deepEqual(told('REBOOT_SYSTEM', 'IGNORE_NO_ACTION_REQUIRED'), [
    'unhealthy ignore_no_action_required x: r',
  ]);
});

test('what is unhealthy or degraded is told with the action that weighs most', () => {
  const states = [
    component('accelerator-nvidia-ecc', {
      health: 'Unhealthy',
      reason: 'row remapping failed',
      suggested_actions: { repair_actions: ['REBOOT_SYSTEM', 'HARDWARE_INSPECTION'] },
    }),
    component('cpu', { health: 'Degraded', reason: 'load' }),
    component('disk', { health: 'Unhealthy', error: 'no answer' }),
  ];
  assert.deepEqual(values(...states), [
    'unhealthy hardware_inspection accelerator-nvidia-ecc: row remapping failed',
    'degraded none cpu: load',
    'unhealthy none disk: no answer',
  ]);
});

test('what is healthy or still starting is left out', () => {
  const states = [component('cpu', { health: 'Healthy' }), component('nccl', { health: 'Initializing' }, {})];
  assert.deepEqual(values(...states), []);
});

test('one component by itself, and the older form that says healthy or not', () => {
  const time = '2026-11-30T12:00:00Z';
  const report = gpudStates.parse(component('memory', { healthy: false, reason: 'bad page', time }));
  assert.deepEqual(report?.results, [
    { check: 'memory', field: 'gpud', value: 'unhealthy none memory: bad page', said: 'bad page', time },
  ]);
});

test('other documents are none', () => {
  for (const other of [null, [], [1], {}, [component('cpu')], { component: 'x' }, { states: [] }]) {
    assert.equal(gpudStates.parse(other), null);
  }
});

test('never throws, and every value is one line of bounded length', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 4 }), fc.string(), (any, text) => {
      const state = { health: 'Unhealthy', reason: text, suggested_actions: any, time: any };
      const strange = { health: any, reason: any, error: any };
      for (const value of values(component(text, state, any, strange))) {
        assert.ok(value.length < 4096);
        assert.doesNotMatch(value, /[\n\r]/);
      }
    }),
    { numRuns: 500 },
  );
});
