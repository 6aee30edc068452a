import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compilePattern } from '../../src/lines/linear-regex.ts';
import { lineMatch, ruleFile } from '../support/rule-files.ts';
import { runCommand, temporaryFolder } from '../support/service.ts';

/** Patterns that take a backtracking engine exponential or high polynomial time on a text they do not match. */
const evil = [
  ['nested quantifiers', '(a+)+b', 'aaaab', 'a'.repeat(15_000)],
  ['alternatives that overlap', '(a|aa)+b', 'aaaab', 'a'.repeat(15_000)],
  ['nested stars over anything', '(.*)*b$', 'aaaab', 'a'.repeat(15_000)],
  ['stars in a row', '.*.*.*.*.*=c', 'aaaa=c', '='.repeat(15_000)],
  [
    'optional parts in a row',
    `${'a?'.repeat(100)}${'a'.repeat(100)}b`,
    `${'a'.repeat(150)}b`,
    'a'.repeat(15_000),
  ],
] as const;

for (const [what, pattern, matching, text] of evil) {
  test(`a rule whose pattern has ${what} is checked on its worst text and ends`, async context => {
    const rule = ruleFile('site/evil', {
      blames: 'nobody',
      status: 'test',
      match: lineMatch({ origins: ['job'], keywords: ['evil text'], pattern: `evil text ${pattern}` }),
      examples: {
        match: [{ text: `evil text ${matching}` }],
        no_match: [{ text: `evil text ${text}x`, because: 'its end is missing' }],
      },
    });
    const folder = temporaryFolder(context);
    mkdirSync(join(folder, 'site'));
    writeFileSync(join(folder, rule.path), rule.text);
    const { code, stdout } = await runCommand(['rules', 'check', '--alone', folder]);
    assert.match(stdout, /^(?:\S+: note: a pattern compiles to [^\n]+\n)?1 rule, 0 problems\n$/);
    assert.equal(code, 0);
  });
}

test('the engine of the language does not end on such a pattern', { timeout: 60_000 }, async () => {
  const script = "/^(a+)+b/.test('a'.repeat(60)); process.exit(7);";
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  const ended = await Promise.race([
    once(child, 'exit').then(() => true),
    new Promise<boolean>(resolve => setTimeout(() => resolve(false), 3_000)),
  ]);
  child.kill('SIGKILL');
  assert.equal(ended, false);
});

test('the largest pattern on the longest text that a pattern sees is answered at once, with its groups', () => {
  const letters = Array.from({ length: 16 * 1024 - 1 }, (_, at) =>
    (Math.imul(at + 7, 2_654_435_761) >>> 13) % 2 === 0 ? 'a' : 'b',
  ).join('');
  const compiled = compilePattern('(?P<device>(?:a?){110}(?:a|b)*a(?:a|b){110})c');
  assert.ok(compiled.ok && compiled.pattern.instructions > 300);
  const started = process.cpuUsage();
  assert.equal(compiled.pattern.exec(letters), null);
  assert.equal(compiled.pattern.exec(`${letters}c`)?.groups['device']?.length, letters.length);
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});

test('patterns that compile to large programs are refused before they run', () => {
  for (const pattern of ['((a{100}){100}){100}', '(x{1,1000}){1,1000}', '(?:abc|bcd){90}', '[a-z]{501}']) {
    const compiled = compilePattern(pattern);
    assert.equal(compiled.ok, false, pattern);
  }
});

test('what cannot be matched in linear time is refused with what to do instead', () => {
  for (const [pattern, says] of [
    ['(a)\\1', /backreferences are not supported/],
    ['(?=a)b', /lookahead/],
    ['(?<!a)b', /lookbehind/],
  ] as const) {
    const compiled = compilePattern(pattern);
    assert.ok(!compiled.ok);
    assert.match(compiled.message, says);
  }
});
