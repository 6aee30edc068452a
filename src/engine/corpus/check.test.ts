import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import { checkCorpus } from './check.ts';
import { removeRow, removeRule, withRules } from './corpus.ts';
import type { CorpusFile } from './load.ts';

const text = '[ 130.456250] NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.';
const missing = { text: 'GPUs that have fallen off the bus follow', because: 'names no GPU' };

function problemsOf(...files: readonly CorpusFile[]): readonly string[] {
  return checkCorpus(corpusOf(...files)).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

function withExamples(match: readonly object[], noMatch: readonly object[] = [missing]): CorpusFile {
  return ruleFile('a', { examples: { match, no_match: noMatch } });
}

test('a sound corpus has no problems', () => {
  assert.deepEqual(problemsOf(ruleFile('a')), []);
});

test('an example must match its rule, at its place in the file', () => {
  const file = withExamples([{ text: 'GPU has fallen off the bus' }]);
  const line = file.text.split('\n').findIndex(each => each.includes('- text: GPU has')) + 1;
  assert.deepEqual(problemsOf(file), [
    `a.yaml:${line} examples.match[0]: the rule does not match its own example`,
  ]);
});

test('captures are as stated, with addresses normalised', () => {
  assert.deepEqual(problemsOf(withExamples([{ text, captures: { pci: '0000:b3:00' } }])), []);
  assert.match(
    problemsOf(withExamples([{ text, captures: { pci: '0000:b4:00' } }]))[0] ?? '',
    /captures `0000:b3:00` as pci, the example says `0000:b4:00`/,
  );
  assert.match(
    problemsOf(withExamples([{ text, captures: { uuid: 'GPU-1' } }]))[0] ?? '',
    /captures nothing as uuid/,
  );
});

test('a second rule that matches must be declared, and a declared one must match', () => {
  const second = ruleFile('b', {
    match: lineMatch({ pattern: 'has fallen off' }),
    examples: { match: [{ text, also: ['a'] }], no_match: [missing] },
  });
  assert.match(problemsOf(ruleFile('a'), second)[0] ?? '', /^a\.yaml.*rule b matches too/);
  assert.deepEqual(problemsOf(withExamples([{ text, also: ['b'] }]), second), []);
  assert.match(
    problemsOf(withExamples([{ text, also: ['c'] }]))[0] ?? '',
    /`also` names c, which does not match/,
  );
});

test('a near miss holds a keyword and does not match', () => {
  assert.match(
    problemsOf(withExamples([{ text }], [{ text: 'something else', because: 'x' }]))[0] ?? '',
    /examples\.no_match\[0\]: is not near/,
  );
  assert.match(
    problemsOf(withExamples([{ text }], [{ text, because: 'x' }]))[0] ?? '',
    /the rule matches its own near miss/,
  );
});

test('further lines and counts decide in examples too', () => {
  const match = lineMatch({ keywords: ['first line'], pattern: 'first line' }, [
    { pattern: 'second', lines: 1 },
  ]);
  const examples = {
    match: [{ text: 'first line\nsecond\n' }],
    no_match: [{ text: 'first line\nthird\nsecond', because: 'not next' }],
  };
  assert.deepEqual(problemsOf(ruleFile('a', { match, examples })), []);
  const counted = {
    count: { at_least: 2, within_seconds: 5, by: 'device' },
    examples: {
      match: [{ text: `${text}\n${text}` }],
      no_match: [
        { text, because: 'once' },
        { text: `${text}\n${text.replace(' 130', ' 139')}`, because: 'too far apart' },
        { text: `${text}\n${text.replace('b3', 'b4')}`, because: 'two devices' },
      ],
    },
  };
  assert.deepEqual(problemsOf(ruleFile('a', counted)), []);
});

test('what takes a match back decides in examples too, of lines and of states', () => {
  const match = lineMatch({ pattern: 'fallen off the bus', unless: '(?i)simulated' });
  const examples = {
    match: [{ text }],
    no_match: [{ text: `${text} (Simulated)`, because: 'a rehearsal' }],
  };
  assert.deepEqual(problemsOf(ruleFile('a', { match, examples })), []);
  const state = ruleFile('state', {
    match: { state: { entity: 'check', field: 'dcgm', pattern: '^isolate', unless: 'in use' } },
    examples: {
      match: [{ text: 'dcgm=isolate memory fail: broken' }],
      no_match: [{ text: 'dcgm=isolate memory fail: GPU in use', because: 'busy' }],
    },
  });
  assert.deepEqual(problemsOf(state), []);
});

test('states and samples have examples of their own', () => {
  const state = ruleFile('state', {
    match: { state: { entity: 'node', field: 'state', values: ['DOWN'] } },
    examples: {
      match: [{ text: 'state=DOWN*+DRAIN' }],
      no_match: [{ text: 'state=DRAIN', because: 'runs on' }],
    },
  });
  const sample = ruleFile('sample', {
    match: { sample: { metrics: ['failures'], changed: true } },
    examples: {
      match: [{ text: '0 0 1' }],
      no_match: [
        { text: '1 1 1', because: 'from before' },
        { text: '1 0', because: 'was reset' },
      ],
    },
  });
  assert.deepEqual(problemsOf(state, sample), []);
});

test('inhibitions name what exists, each told at its place', () => {
  const inhibits = [
    { symptoms: ['b-symptom'], scope: 'node', within_seconds: 5 },
    { symptoms: ['no-such-thing'], scope: 'node', within_seconds: 5 },
  ];
  const other = ruleFile('b', { symptom: 'b-symptom', match: lineMatch({ keywords: ['other line'] }) });
  const file = ruleFile('a', { inhibits });
  const before = file.text.slice(0, file.text.indexOf('no-such-thing'));
  const line = before.split('\n').length - 1;
  assert.match(
    problemsOf(file, other)[0] ?? '',
    new RegExp(`^a\\.yaml:${line} inhibits: there is no symptom or code \`no-such-thing\`: correct it`),
  );
});

test('nothing explains itself, nor by way of others', () => {
  const explains = (symptom: string) => [{ symptoms: [symptom], scope: 'node', within_seconds: 5 }];
  const self = ruleFile('a', { inhibits: explains('gpu-fallen-off-bus') });
  assert.match(problemsOf(self)[0] ?? '', /`gpu-fallen-off-bus` explains itself in the end/);
  const around = ['one', 'two', 'three'].map((name, at, all) =>
    ruleFile(name, {
      symptom: name,
      inhibits: explains(all[(at + 1) % 3] ?? ''),
      match: lineMatch({ keywords: [`keyword ${name}`], pattern: `keyword ${name}` }),
      examples: {
        match: [{ text: `keyword ${name}` }],
        no_match: [{ text: `Keyword ${name}`, because: 'capital' }],
      },
    }),
  );
  assert.deepEqual(
    problemsOf(...around).map(problem => problem.replace(/^.*end /, '')),
    [
      '(one > two > three > one): leave one out',
      '(three > one > two > three): leave one out',
      '(two > three > one > two): leave one out',
    ],
  );
});

test('an example that no keyword chooses is told to be one', () => {
  assert.match(
    problemsOf(withExamples([{ text: 'GPU gone' }]))[0] ?? '',
    /does not match its own example, which contains none of the keywords$/,
  );
});

test('two rules with one match are one too many', () => {
  const examples = {
    match: [{ text, also: ['b'] }],
    no_match: [missing],
  };
  const again = { match: [{ text, also: ['a'] }], no_match: [missing] };
  assert.deepEqual(problemsOf(ruleFile('a', { examples }), ruleFile('b', { examples: again })), [
    'b.yaml:1 match: is the same as that of a: keep one of them',
  ]);
});

test('a corpus without a rule, or with other ones, has another hash', () => {
  const corpus = corpusOf(ruleFile('a'), ruleFile('b', { match: lineMatch({ pattern: 'bus' }) }));
  const smaller = removeRule(corpus, 'b');
  assert.deepEqual(
    smaller.rules.map(({ id }) => id),
    ['a'],
  );
  assert.equal(smaller.hash, corpusOf(ruleFile('a')).hash);
  assert.equal(withRules(smaller, [...corpus.rules].reverse()).hash, corpus.hash);
  assert.throws(() => removeRule(corpus, 'c'), /no rule c/);
  assert.throws(() => removeRow(corpus, 'xid-79'), /no catalogue row xid-79/);
});
