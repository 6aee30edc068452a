import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exitCodeOf, numberOf, stateOf } from './values.ts';

test('numbers are read in every form a version writes them', () => {
  assert.equal(numberOf(7), 7);
  assert.equal(numberOf('7'), 7);
  assert.equal(numberOf({ set: true, infinite: false, number: 7 }), 7);
  assert.equal(numberOf({ number: 0 }), 0);
});

test('what is not set, unlimited or no number is null', () => {
  const unset = [
    { set: false, infinite: false, number: 7 },
    { set: true, infinite: true, number: 7 },
    { set: true, number: { number: -1 } },
    4_294_967_294,
    4_294_967_295,
    18_446_744_073_709_552_000,
    'NaN',
    '',
    null,
    undefined,
    [],
    true,
    -1,
    1.5,
  ];
  for (const value of unset) assert.equal(numberOf(value), null, JSON.stringify(value));
});

test('states are words in capitals, joined by plus, each once', () => {
  assert.equal(stateOf('down', ['DRAIN', 'NOT_RESPONDING']), 'DOWN+DRAIN+NOT_RESPONDING');
  assert.equal(stateOf(['IDLE', 'DRAIN']), 'IDLE+DRAIN');
  assert.equal(stateOf(['CANCELLED', 'CANCELLED']), 'CANCELLED');
  assert.equal(stateOf(null, [3, 'X']), 'X');
});

test('a wait status is split into code and signal', () => {
  assert.equal(exitCodeOf(768, 'FAILED'), '3:0');
  assert.equal(exitCodeOf(15, 'CANCELLED'), '0:15');
  assert.equal(exitCodeOf({ set: true, infinite: false, number: 0x8b }, 'FAILED'), '0:11');
  fc.assert(
    fc.property(fc.nat(255), fc.nat(126), (code, signal) => {
      assert.equal(exitCodeOf(code * 256 + signal, 'FAILED'), `${code}:${signal}`);
    }),
  );
});

test('an exit code may be an object, and a success that contradicts the state says nothing', () => {
  const signalled = {
    status: ['SIGNALED'],
    return_code: { set: false, number: 0 },
    signal: { id: { set: true, number: 9 } },
  };
  assert.equal(exitCodeOf(signalled, 'FAILED'), '0:9');
  assert.equal(exitCodeOf({ status: ['ERROR'], return_code: { set: true, number: 3 } }, 'FAILED'), '3:0');
  assert.equal(exitCodeOf({ status: 'SIGNALED', return_code: 0, signal: { signal_id: 15 } }, 'FAILED'), '0:15');
  assert.equal(exitCodeOf({ status: 'SUCCESS', return_code: 0 }, 'FAILED'), null);
  assert.equal(exitCodeOf({ status: 'SUCCESS', return_code: 0 }, 'COMPLETED'), '0:0');
  assert.equal(exitCodeOf(null, 'FAILED'), null);
});
