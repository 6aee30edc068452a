import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SymptomSpec, symptom, xid } from '../../../tests/support/symptoms.ts';
import { consequencesOn, isOneFault } from './one-fault.ts';

const inhibits = [{ symptoms: ['own-ecc'], scope: 'device', withinSeconds: 600 }] as const;
const fault = (at: number, rest: Partial<SymptomSpec> = {}) =>
  xid(48, 'node-01', at, { inhibits, device: '0000:5e:00', ...rest });
const told = (rest: Partial<SymptomSpec> = {}) =>
  symptom({ symptom: 'own-ecc', node: 'node-01', at: -20, origin: 'job', strength: 'S2', ...rest });

test('a fault and its consequence on the node are one as far apart as clocks may be', () => {
  for (const at of [-600, -20, 300]) assert.ok(isOneFault(fault(at), told()), String(at));
  for (const at of [-640, 360]) assert.ok(!isOneFault(fault(at), told()), String(at));
});

test('what one clock dates, what happened elsewhere and what does not follow is another', () => {
  for (const rest of [
    { origin: 'kernel' },
    { node: 'node-02' },
    { device: '0000:9b:00' },
    { symptom: 'other' },
  ] as const) {
    assert.ok(!isOneFault(fault(-300), told(rest)), JSON.stringify(rest));
  }
});

test('an error that programs make as well is believed to be a consequence of an S1 alone', () => {
  const found = (strength: 'S1' | 'S3', of: 'S3' | 'S4' | 'S5') =>
    consequencesOn([told({ strength: of })], () => true)(fault(-300, { strength })) !== undefined;
  assert.ok(found('S3', 'S3'));
  assert.ok(found('S1', 'S4'));
  assert.ok(!found('S3', 'S4'));
  assert.ok(!found('S1', 'S5'));
});

test('only dated consequences that count are looked at', () => {
  assert.equal(consequencesOn([told()], () => false)(fault(-300)), undefined);
  assert.equal(consequencesOn([told({ at: null })], () => true)(fault(-300)), undefined);
});
