import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { claims, stillToCome, testedClaims } from './claims.ts';

const files = readdirSync(import.meta.dirname).filter(file => file.endsWith('.test.ts'));

test('every numbered claim has a test or is on the list of those still to come', () => {
  const tested = testedClaims(import.meta.dirname, files);
  const numbers = Object.keys(claims).map(Number);
  assert.equal(numbers.length, 48);
  assert.deepEqual(
    numbers.filter(number => !tested.has(number) && !stillToCome.includes(number)),
    [],
  );
  assert.deepEqual(
    stillToCome.filter(number => tested.has(number)),
    [],
  );
});
