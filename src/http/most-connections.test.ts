import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostConnections } from './most-connections.ts';

test('a listener takes its share of the files that the process may open', () => {
  const limits = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}                20000                files     \n`;
  assert.equal(mostConnections(0.25, limits('1024')), 256);
  assert.equal(mostConnections(0.25, limits('16384')), 4_096);
  assert.equal(mostConnections(0.25, limits('8')), 16);
  assert.equal(mostConnections(0.25, limits('unlimited')), 250_000);
  assert.equal(mostConnections(0.25, ''), 250_000);
});
