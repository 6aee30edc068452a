import assert from 'node:assert/strict';
import { test } from 'node:test';
import { junitText } from './junit.ts';

test('counts what failed and says why', () => {
  const text = junitText('rules check', [
    { group: 'gpu/xid', name: 'one', failures: [] },
    { group: 'gpu/xid', name: 'two', failures: ['first', 'second'] },
  ]);
  assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuite /);
  assert.match(text, /tests="2" failures="1" errors="0" skipped="0"/);
  assert.match(text, /<testcase classname="gpu\/xid" name="one"\/>/);
  assert.match(text, /<failure message="first">first&#10;second<\/failure>/);
});

test('no text breaks out of its place, and nothing is written that XML cannot hold', () => {
  const text = junitText('s', [
    { group: 'g', name: "\"><x a='1'>&amp;", failures: [']]>\u0000\u001b[31m\u{1f600}'] },
  ]);
  assert.match(text, /name="&quot;&gt;&lt;x a='1'&gt;&amp;amp;"/);
  assert.ok(!text.includes('\u0000') && !text.includes('\u001b'));
  assert.ok(text.includes('\u{1f600}'));
  assert.match(text, /\]\]&gt;/);
});
