import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  escapePattern,
  isNodeName,
  isSelective,
  type Matcher,
  parseMatchers,
  quote,
  writeMatcher,
} from './matchers.ts';

test('selectors are read with braces and without, in both kinds of quotes', () => {
  const expected: readonly Matcher[] = [
    { label: 'job', operator: '=', value: 'kernel' },
    { label: 'cluster', operator: '=~', value: 'gpu-.*' },
    { label: 'level', operator: '!=', value: 'a "b"' },
    { label: 'env', operator: '!~', value: 'x\\d' },
  ];
  const inside = 'job="kernel", cluster=~"gpu-.*" ,level!="a \\"b\\"",env!~`x\\d`';
  for (const text of [inside, `{${inside}}`, ` { ${inside} } `]) {
    assert.deepEqual(parseMatchers(text), { ok: true, matchers: expected });
  }
  assert.deepEqual(parseMatchers('{}'), { ok: true, matchers: [] });
});

test('a mistake is told by its place', () => {
  for (const [text, place] of [
    ['job=kernel', 1],
    ['{job="kernel", ="x"}', 14],
    ['{job="kernel"} |= "x"', 1],
    ['job="a" cluster="b"', 1],
  ] as const) {
    const parsed = parseMatchers(text);
    assert.ok(!parsed.ok && parsed.problem.includes(`character ${place} `), JSON.stringify(parsed));
  }
});

test('what is written is read back', () => {
  const matcher = fc.record({
    label: fc.stringMatching(/^[a-z_][a-z0-9_]{0,10}$/),
    operator: fc.constantFrom('=', '!=', '=~', '!~') as fc.Arbitrary<Matcher['operator']>,
    value: fc.string({ maxLength: 40 }),
  });
  fc.assert(
    fc.property(fc.array(matcher, { maxLength: 5 }), generated => {
      const matchers = generated.map(each => ({ ...each }));
      assert.deepEqual(parseMatchers(`{${matchers.map(writeMatcher).join(',')}}`), { ok: true, matchers });
    }),
  );
});

test('escaped text stands for itself, in a string that ends where it should', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), text => {
      assert.ok(new RegExp(`^(?:${escapePattern(text)})$`).test(text));
      const quoted = quote(escapePattern(text));
      const inside = quoted.startsWith('`') ? quoted.slice(1, -1) : (JSON.parse(quoted) as string);
      assert.equal(inside, escapePattern(text));
      assert.ok(!quoted.startsWith('`') || !inside.includes('`'));
    }),
  );
});

test('a selector must hold what an absent label does not fulfil', () => {
  const selective = (text: string): boolean => {
    const parsed = parseMatchers(text);
    return parsed.ok && isSelective(parsed.matchers);
  };
  assert.deepEqual(['a="b"', 'a=~".+"', 'a=~"b|c"'].map(selective), [true, true, true]);
  assert.deepEqual(['', 'a=""', 'a!="b"', 'a=~".*"', 'a!~"b"'].map(selective), [
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('names of nodes are hosts and addresses', () => {
  for (const name of ['node-01', 'a.b.example', '10.0.0.1', 'fe80::1', 'node_1', 'node-01:9100'])
    assert.ok(isNodeName(name));
  for (const name of ['', 'a b', 'a"', 'a|b', 'a`', '{a}', 'a\n', 'ä', 'x'.repeat(256)])
    assert.ok(!isNodeName(name));
});
