import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endBeforeCut, startAfterCut } from './cut-ends.ts';

test('an excerpt begins behind what may be the rest of a secret', () => {
  const rests = [
    'ter2 ',
    'word=hunter2 ',
    ' = hunter2 ',
    'word : "correct horse" ',
    'rect horse" ',
    'rect \\"horse\\": one, ',
    'abc\n-----END PRIVATE KEY----- ',
  ];
  for (const rest of rests) {
    const text = `${rest}one two three NVRM`;
    const at = startAfterCut(text, 0, text.indexOf('NVRM'));
    assert.ok(at >= rest.trimEnd().length, `${JSON.stringify(rest)}: ${text.slice(at)}`);
  }
});

test('an excerpt never begins behind what it is about', () => {
  assert.equal(startAfterCut('password=hunter2:Xid', 12, 17), 17);
  assert.equal(startAfterCut('a b c d e', 0, 2), 2);
});

test('what follows the rest of a secret stays', () => {
  assert.equal(startAfterCut('ter2 at 10.0.0.1 on node-01 NVRM', 0, 28), 'ter2 at 10.0.0.1 '.length);
});

test('an excerpt ends with a word', () => {
  assert.equal(endBeforeCut('Xid 79 nats://reader:hunter2@10.0.0.1', 6, 28), 6);
  assert.equal(endBeforeCut('Xid 79 on node-01 ', 6, 17), 17);
});

test('one word is cut anywhere where it is all there is', () => {
  assert.equal(endBeforeCut('xxxxxxxx', 0, 5), 5);
  assert.equal(endBeforeCut('xxxxxxxx', 3, 5), 3);
});
