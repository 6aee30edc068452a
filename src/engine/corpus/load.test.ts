import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import { type CorpusFile, loadCorpus } from './load.ts';

/** `line:column message` of every problem. */
function problemsOf(...files: readonly CorpusFile[]): readonly string[] {
  const loaded = loadCorpus(files);
  return loaded.ok ? [] : loaded.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const xidRow = {
  code: '79',
  title: 'GPU has fallen off the bus',
  category: 'accelerator_gpu',
  blames: 'node',
  role: 'root',
  strength: 'S1',
  status: 'stable',
};

function catalogueFile(name: string, rows: readonly object[]): CorpusFile {
  return {
    path: `catalogues/${name}.yaml`,
    text: JSON.stringify({ title: 'Codes', references: ['x'], rows }),
  };
}

test('a rule file becomes a rule with defaults filled in', () => {
  const [rule] = corpusOf(ruleFile('gpu/gone')).rules;
  assert.equal(rule?.id, 'gpu/gone');
  assert.equal(rule?.catalogue, null);
  assert.equal(rule?.keepEnds, false);
  assert.deepEqual(rule?.match.kind === 'line' ? rule.match.further : null, []);
  assert.equal(rule?.nearMisses[0]?.because, 'names no GPU');
});

test('an unknown key is told with line and column, and with what is allowed', () => {
  const text = ruleFile('gpu/gone').text.replace('title: ', 'titel: x\ntitle: ');
  assert.match(
    problemsOf({ path: 'gpu/gone.yaml', text })[0] ?? '',
    /^2:1 unknown key `titel`: allowed are id, /,
  );
});

test('all problems of all files are told, in order of place', () => {
  const found = problemsOf(
    ruleFile('b', { status: 'final', strength: 'S9' }),
    ruleFile('a', { caution: '', references: [] }),
  );
  assert.equal(found.length, 4);
  assert.match(found[0] ?? '', /caution: must not be empty/);
  assert.match(found[3] ?? '', /strength: is `S9`, must be one of S1, /);
});

test('the id is the path', () => {
  const { text } = ruleFile('gpu/gone');
  assert.deepEqual(problemsOf({ path: 'gpu/lost.yaml', text }), [
    '1:5 id: is `gpu/gone`, must be `gpu/lost` as the path says',
  ]);
});

test('text that is no YAML, or not a mapping, is a problem and not an exception', () => {
  assert.match(problemsOf({ path: 'a.yaml', text: 'id: [' })[0] ?? '', /not valid YAML/);
  assert.match(problemsOf({ path: 'a.yaml', text: '' })[0] ?? '', /must be a mapping/);
  assert.match(problemsOf({ path: 'a.yaml', text: 'id: a\nid: b' })[0] ?? '', /^2:1 not valid YAML/);
});

test('patterns are held to linear syntax, to the size limit and to the list of groups', () => {
  const match = (pattern: string) => problemsOf(ruleFile('a', { match: lineMatch({ pattern }) })).join();
  assert.match(match('bus(?=x)'), /match\.line\.pattern: lookahead/);
  assert.match(match('(?P<bus>bus)'), /group `bus` is not on the list/);
  assert.match(match('[a-z]{600}'), /more than the limit of 500/);
  assert.match(match('('), /match\.line\.pattern/);
});

test('what takes a match back is held to the same syntax, and captures nothing', () => {
  const match = (unless: string) => problemsOf(ruleFile('a', { match: lineMatch({ unless }) })).join();
  assert.match(match('bus(?=x)'), /match\.line\.unless: lookahead/);
  assert.match(match('(?P<gpu>bus)'), /match\.line\.unless: captures nothing/);
});

test('further lines need exactly one reach', () => {
  const both = lineMatch({}, [{ pattern: 'x', lines: 2, seconds: 2 }]);
  assert.match(problemsOf(ruleFile('a', { match: both })).join(), /exactly one of lines, seconds/);
  const five = lineMatch({}, Array(5).fill({ pattern: 'x', lines: 1 }));
  assert.match(problemsOf(ruleFile('a', { match: five })).join(), /at most 4 entries, has 5/);
});

test('a short keyword is allowed only where another rule has it too', () => {
  const short = lineMatch({ keywords: ['IMEX'] });
  assert.match(problemsOf(ruleFile('a', { match: short })).join(), /`IMEX` has 4 bytes, needs 7/);
  const shared = lineMatch({ keywords: ['imex'], pattern: 'x' });
  assert.deepEqual(problemsOf(ruleFile('a', { match: short }), ruleFile('b', { match: shared })), []);
});

test('a match has exactly one kind', () => {
  const state = { entity: 'node', field: 'state', values: ['DOWN'] };
  const both = { ...lineMatch({}), state };
  assert.match(problemsOf(ruleFile('a', { match: both })).join(), /exactly 1 of line, state, sample/);
  assert.deepEqual(problemsOf(ruleFile('a', { match: { state }, examples: anyExamples })), []);
});

test('victims never blame a node', () => {
  assert.match(problemsOf(ruleFile('a', { strength: 'S5' })).join(), /S5 never blames a node/);
});

test('catalogue rows get their symptom from their code, and codes are unique', () => {
  const rule = ruleFile('xid', {
    catalogue: 'xid',
    match: lineMatch({ pattern: 'Xid (?P<xid>[0-9]+)' }),
  });
  const corpus = corpusOf(rule, catalogueFile('xid', [xidRow]));
  assert.equal(corpus.catalogues.xid[0]?.code, 'xid-79');
  assert.equal(corpus.catalogues.xid[0]?.symptom, 'xid-79');
  assert.match(problemsOf(catalogueFile('xid', [xidRow, xidRow])).join(), /has a row already/);
  assert.match(problemsOf(catalogueFile('other', [xidRow])).join(), /no catalogue `other`/);
  assert.match(problemsOf(catalogueFile('nvlink', [xidRow])).join(), /key `unit` is missing/);
  assert.match(
    problemsOf(ruleFile('a', { catalogue: 'xid' })).join(),
    /no pattern captures xid, which xid looks up/,
  );
});

test('the hash follows content, not order of files or formatting', () => {
  const a = ruleFile('a');
  const b = ruleFile('b');
  const hash = corpusOf(a, b).hash;
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(corpusOf(b, a).hash, hash);
  const reformatted = { path: 'a.yaml', text: `# a comment\n${a.text.replace('title: ', 'title:   ')}` };
  assert.equal(corpusOf(reformatted, b).hash, hash);
  assert.notEqual(corpusOf(ruleFile('a', { caution: 'Another.' }), b).hash, hash);
  assert.notEqual(corpusOf(a).hash, hash);
});

test('numbers that are none, or reach beyond any failure, are refused', () => {
  const count = (seconds: number) => ({ at_least: 2, within_seconds: seconds, by: 'node' });
  for (const [seconds, says] of [
    [Number.POSITIVE_INFINITY, /count\.within_seconds: must be a number, is `Infinity`/],
    [Number.NaN, /count\.within_seconds: must be a number, is `NaN`/],
    [1e300, /count\.within_seconds: must be at most 31536000/],
  ] as const) {
    assert.match(problemsOf(ruleFile('a', { count: count(seconds) }))[0] ?? '', says);
  }
});

test('what one mistake makes of the rest of a file is not told, and what to do is', () => {
  const twice = `${ruleFile('a').text}${ruleFile('a').text}`;
  const found = problemsOf({ path: 'a.yaml', text: twice });
  assert.equal(found.length, 3);
  assert.match(found[0] ?? '', /not valid YAML: .*: this key stands twice, keep one$/);
  const nested = problemsOf({ path: 'a.yaml', text: '['.repeat(5_000) });
  assert.ok(nested.length > 0 && nested.length <= 3);
  assert.deepEqual(problemsOf({ path: 'a.yaml', text: '' }), [
    '1:1 is empty, must be a mapping of keys to values',
  ]);
  const alias = ruleFile('a').text.replace('status: stable', 'status: *other');
  assert.match(problemsOf({ path: 'a.yaml', text: alias })[0] ?? '', /`\*other` stands for another part/);
});
