import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compilePattern, type LinearPattern, type PatternOptions } from './linear-regex.ts';

function compiled(source: string, options?: PatternOptions): LinearPattern {
  const result = compilePattern(source, options);
  assert.ok(result.ok, result.ok ? '' : result.message);
  return result.pattern;
}

function refusal(source: string, options?: PatternOptions): { message: string; offset: number | null } {
  const result = compilePattern(source, options);
  assert.ok(!result.ok, `${source} was accepted`);
  return result;
}

test('finds named groups of both spellings, with offsets in the text', () => {
  const pattern = compiled('Xid \\(PCI:(?P<pci>[0-9a-f:]+)\\): (?<xid>\\d+)');
  assert.deepEqual(pattern.groupNames, ['pci', 'xid']);
  const text = '[ 12.5] NVRM: Xid (PCI:0000:b3:00): 79, pid=1';
  assert.deepEqual(pattern.exec(text), {
    index: text.indexOf('Xid'),
    end: text.indexOf(', pid'),
    groups: { pci: '0000:b3:00', xid: '79' },
  });
});

test('leaves out groups that took no part', () => {
  const match = compiled('(?P<a>x)?(?P<b>y)').exec('y');
  assert.deepEqual(match?.groups, { b: 'y' });
});

test('is case-sensitive unless told otherwise', () => {
  assert.equal(compiled('fallen off').test('GPU has FALLEN OFF'), false);
  assert.equal(compiled('fallen off', { ignoreCase: true }).test('GPU has FALLEN OFF'), true);
});

test('says where and why it refuses what cannot be linear', () => {
  assert.equal(refusal('abc(?=d)').offset, 3);
  assert.match(refusal('abc(?=d)').message, /lookahead/);
  assert.match(refusal('(?<!a)b').message, /lookbehind/);
  assert.match(refusal('(a)\\1').message, /backreference/);
  assert.equal(refusal('(a)\\1').offset, 3);
  assert.match(refusal('(?P<x>a)(?P=x)').message, /backreference/);
});

test('takes the same characters inside classes and quotes for what they are', () => {
  assert.equal(compiled('[(?=]').test('='), true);
  assert.equal(compiled('[](?=]').test(']'), true);
  assert.equal(compiled('[[:digit:](?!]x').test('!x'), true);
  assert.equal(compiled('\\Q(?=a)\\E').test('(?=a)'), true);
  assert.equal(compiled('\\(?=').test('='), true);
});

test('refuses broken syntax with the engine offending part', () => {
  const { message, offset } = refusal('abc[z-a]');
  assert.match(message, /range/);
  assert.equal(offset, 4);
  assert.match(refusal('a(b').message, /missing closing/);
});

test('refuses programs over the limit', () => {
  assert.match(refusal('(?:abcdef){200}').message, /instructions, more than the limit of 500/);
  assert.match(refusal('abcdefgh', { maxInstructions: 5 }).message, /limit of 5/);
  assert.ok(compiled('[a-z]+').instructions > 0);
});

test('takes linear time where backtracking would not end', () => {
  assert.equal(compiled('(?:a+)+$').test(`${'a'.repeat(16_384)}!`), false);
  assert.equal(compiled('(?P<x>(?:a|aa)+)b').exec('a'.repeat(16_384)), null);
});

test('agrees with itself: exec finds a match exactly where test says there is one', () => {
  const alphabet = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '*', '+', '(', ')', '|', '[', ']', '?', '1'),
  });
  fc.assert(
    fc.property(alphabet, fc.string({ unit: fc.constantFrom('a', 'b', '1', '\n') }), (source, text) => {
      const result = compilePattern(source);
      if (!result.ok) return;
      const match = result.pattern.exec(text);
      assert.equal(match !== null, result.pattern.test(text));
      if (match !== null) assert.ok(match.index <= match.end && match.end <= text.length);
    }),
  );
});

test('never throws on a random source', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), source => {
      const result = compilePattern(source);
      assert.equal(typeof result.ok, 'boolean');
    }),
  );
});

test('says what to do about the mistakes that are common, and compiles nothing endless', () => {
  for (const [source, says] of [
    ['site-watch: (door', /missing closing \).*write \\\( for the character/],
    ['a{2000}', /invalid repeat count: \{2000\} \(lower it/],
    ['*door', /write a backslash before it/],
    ['(a|b)'.repeat(10_000), /pattern has 50000 characters, more than 8192: split it into rules/],
  ] as const) {
    const result = compilePattern(source);
    assert.ok(!result.ok);
    assert.match(result.message, says);
  }
});
