import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  placement,
  progress,
  reasoningContext,
  symptom,
  watchdog,
  xid,
} from '../../../tests/support/symptoms.ts';
import { setAside } from './set-aside.ts';

test('what can be neither cause nor consequence becomes context, the rest stays open', () => {
  const noise = symptom({ symptom: 'noise', ruleRole: 'noise' });
  const symptoms = [progress(-10, -5), placement(0, 'node-01'), noise, xid(79, 'node-01', 0), watchdog(0, 0)];
  const aside = setAside.run(symptoms, reasoningContext());
  assert.deepEqual(
    aside.map(({ role, reason }) => [role, reason !== null]),
    [
      ['context', true],
      ['context', true],
      ['context', true],
      ['unknown', false],
      ['unknown', false],
    ],
  );
});
