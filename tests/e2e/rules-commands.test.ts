import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { CorpusFile } from '../../src/engine/corpus/load.ts';
import { lineMatch, ruleFile } from '../support/rule-files.ts';
import { runCommand, temporaryFolder } from '../support/service.ts';

function folderOf(context: TestContext, ...files: readonly CorpusFile[]): string {
  const folder = temporaryFolder(context);
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A rule of an operator's own: reads what a site's own health script prints. */
const own = (fields: Readonly<Record<string, unknown>> = {}): CorpusFile =>
  ruleFile('site/cooling-door', {
    title: 'Cooling door is open',
    symptom: 'site-cooling-door',
    match: lineMatch({
      keywords: ['site-watch: door'],
      pattern: 'site-watch: door of rack (?P<device>[0-9]+) open',
    }),
    examples: {
      match: [{ text: 'site-watch: door of rack 12 open', captures: { device: '12' } }],
      no_match: [{ text: 'site-watch: door of rack 12 shut', because: 'it is shut' }],
    },
    ...fields,
  });

test('rules check looks at rules of your own together with those that ship', async context => {
  const { code, stdout } = await runCommand(['rules', 'check', folderOf(context, own())]);
  assert.match(stdout, /^[0-9]+ rules, 0 problems\n$/);
  assert.ok(Number.parseInt(stdout, 10) > 200);
  assert.equal(code, 0);
});

test('what is not wrong and may surprise is noted: a rule that may not name yet, one in the place of another', async context => {
  const mine = folderOf(
    context,
    own({ blames: 'node', role: 'root', strength: 'S2', status: 'test' }),
    ruleFile('gpu/fallen-off-bus-unnumbered'),
  );
  const { code, stdout } = await runCommand(['rules', 'check', '-o', 'json', mine]);
  const { notes } = JSON.parse(stdout) as { notes: { file: string; message: string }[] };
  assert.deepEqual(
    notes.map(({ file, message }) => [file, message]),
    [
      [join(mine, 'gpu/fallen-off-bus-unnumbered.yaml'), 'takes the place of the rule with the same path'],
      [join(mine, 'site/cooling-door.yaml'), 'blames its node, and names nobody as long as its status is test'],
    ],
  );
  const table = await runCommand(['rules', 'check', mine]);
  assert.match(table.stdout, /cooling-door\.yaml:1:5: note: blames its node/);
  assert.equal(code, table.code);
});

test('a pattern that lines made for it make slow is noted', async context => {
  const pattern = 'cooling door .{0,2}(?:[a-z][0-9]){150} open';
  const text = `cooling door ${'a1'.repeat(150)} open`;
  const rule = own({
    match: lineMatch({ origins: ['kernel'], keywords: ['cooling door'], pattern }),
    examples: { match: [{ text }], no_match: [{ text: 'the cooling door is shut', because: 'it is shut' }] },
  });
  const { stdout } = await runCommand(['rules', 'check', '-o', 'json', folderOf(context, rule)]);
  const { notes } = JSON.parse(stdout) as { notes: { message: string }[] };
  assert.equal(notes.length, 1, stdout);
  assert.match(notes[0]?.message ?? '', /^a pattern compiles to \d{3} instructions, .*shorten it/);
});

test('--alone leaves out those that ship', async context => {
  const { code, stdout } = await runCommand(['rules', 'check', '--alone', folderOf(context, own())]);
  assert.equal(stdout, '1 rule, 0 problems\n');
  assert.equal(code, 0);
});

test('what is wrong is told by file, line and column, and ends with 3', async context => {
  const folder = folderOf(
    context,
    own({ match: lineMatch({ keywords: ['site-watch: door'], pattern: 'site-watch: (?=door)' }) }),
  );
  const table = await runCommand(['rules', 'check', folder]);
  assert.equal(table.code, 3);
  assert.match(
    table.stdout,
    /site\/cooling-door\.yaml:[0-9]+:[0-9]+: .*lookahead \(\?=\.\.\.\) is not supported/,
  );
  assert.match(table.stdout, /the rules do not load, [0-9]+ problems?\n$/);

  const json = await runCommand(['rules', 'check', '-o', 'json', folder]);
  const said = JSON.parse(json.stdout) as { rules: unknown; problems: { file: string; line: number }[] };
  assert.equal(said.rules, null);
  assert.equal(said.problems[0]?.file, join(folder, 'site/cooling-door.yaml'));
  assert.equal(json.code, 3);

  const junit = await runCommand(['rules', 'check', '-o', 'junit', folder]);
  assert.match(junit.stdout, /<testsuite name="rules check" tests="1" failures="1"/);
  assert.equal(junit.code, 3);
});

test('rules test runs the examples of the rules named', async context => {
  const wrong = own({
    examples: {
      match: [{ text: 'site-watch: door of rack 12 open', captures: { device: '13' } }],
      no_match: [{ text: 'site-watch: door of rack 12 shut', because: 'it is shut' }],
    },
  });
  const args = ['rules', 'test', 'site/cooling-door', 'gpu/xid', '--rules', folderOf(context, wrong)];
  const table = await runCommand(args);
  assert.match(table.stdout, /^ok {6}gpu\/xid {2}[0-9]+ examples$/m);
  assert.match(table.stdout, /^FAILED {2}site\/cooling-door {2}2 examples$/m);
  assert.match(table.stdout, /captures `12` as device, the example says `13`/);
  assert.equal(table.code, 3);
  const junit = await runCommand([...args, '-o', 'junit']);
  assert.match(
    junit.stdout,
    /<testcase classname="site\/cooling-door" name="examples\.match\[0\]">\n {4}<failure /,
  );
  const unknown = await runCommand(['rules', 'test', 'no/such']);
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /there is no rule no\/such: see rules list, with --rules FOLDER for rules of your own/,
  );
});

test('rules list tells what is in force, with what a configuration adds, overrides and leaves out', async context => {
  const mine = folderOf(
    context,
    own(),
    ruleFile('gpu/fallen-off-bus-unnumbered', { title: 'Mine', status: 'test' }),
  );
  const config = join(temporaryFolder(context), 'config.yaml');
  writeFileSync(config, `rules:\n  directories: [${mine}]\n  disable: [gpu/xid, xid-79]\n`);
  const { stdout, code } = await runCommand(['--config', config, 'rules', 'list', '-o', 'json']);
  assert.equal(code, 0);
  const { rules } = JSON.parse(stdout) as {
    rules: { id: string; title: string; overrides: boolean; folder: string }[];
  };
  const find = (id: string) => rules.find(rule => rule.id === id);
  assert.deepEqual([find('site/cooling-door')?.overrides, find('site/cooling-door')?.folder], [false, mine]);
  assert.deepEqual(
    [find('gpu/fallen-off-bus-unnumbered')?.title, find('gpu/fallen-off-bus-unnumbered')?.overrides],
    ['Mine', true],
  );
  assert.equal(find('gpu/xid'), undefined);
  const code79 = await runCommand(['--config', config, 'rules', 'explain', 'xid-79']);
  assert.equal(code79.code, 2);
  writeFileSync(config, 'rules:\n  disable: [gpu/xidd]\n');
  const wrong = await runCommand(['--config', config, 'rules', 'list']);
  assert.equal(wrong.code, 3);
  assert.match(wrong.stderr, /rules\.disable.*gpu\/xidd is neither the id of a rule nor a code/);
});

test('rules explain says what a rule and a code mean', async () => {
  const rule = await runCommand(['rules', 'explain', 'gpu/fallen-off-bus-unnumbered', '-o', 'json']);
  const facts = JSON.parse(rule.stdout) as Record<string, unknown>;
  assert.equal(facts['id'], 'gpu/fallen-off-bus-unnumbered');
  assert.match(String(facts['reads']), /^kernel lines that hold "/);
  assert.match(String(facts['file']), /rules\/gpu\/fallen-off-bus-unnumbered\.yaml:1$/);
  const code = await runCommand(['rules', 'explain', 'xid-79']);
  assert.match(code.stdout, /^xid-79 {2}/);
  assert.match(code.stdout, /^ {2}says {6}names its node/m);
  assert.match(code.stdout, /^ {2}read by {3}.*gpu\/xid/m);
});
