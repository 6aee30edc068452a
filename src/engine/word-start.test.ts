import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordStart } from './word-start.ts';

test('a text that begins at its beginning begins with a word', () =>
  assert.equal(wordStart('password=x', 0, 5), 0));

test('a word that has begun is passed over', () => {
  assert.equal(wordStart('password=hunter2 Xid 79', 12, 20), 17);
  assert.equal(wordStart('password=hunter2 Xid 79', 17, 20), 17);
});

test('where no word begins, what tells begins', () =>
  assert.equal(wordStart('password=hunter2:Xid', 12, 17), 17));
