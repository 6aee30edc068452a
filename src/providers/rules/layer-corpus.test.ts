import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { anyExamples, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import { StartupError } from '../../core/errors.ts';
import type { CorpusFile } from '../../engine/corpus/load.ts';
import { layerCorpus } from './layer-corpus.ts';

function folderOf(context: TestContext, ...files: readonly CorpusFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-rules-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const named = (id: string, title: string): CorpusFile =>
  ruleFile(id, { title, match: lineMatch({ keywords: [`keyword of ${id}`] }), examples: anyExamples });

const catalogue: CorpusFile = {
  path: 'catalogues/xid.yaml',
  text: [
    'title: t',
    'references: [r]',
    'rows:',
    '  - { code: "79", title: gone, category: accelerator_gpu, blames: node, role: root, strength: S1, status: stable }',
    '  - { code: "13", title: engine, category: accelerator_gpu, blames: nobody, role: root, strength: S4, status: stable }',
  ].join('\n'),
};

test('a later folder adds rules and takes the place of those with the same path', async context => {
  const shipped = folderOf(context, named('a/one', 'theirs'), named('a/two', 'theirs'));
  const own = folderOf(context, named('a/two', 'ours'), named('b/three', 'ours'));
  const read = await layerCorpus({ folders: [shipped, own], disable: [] });
  assert.ok(read.ok);
  const { corpus, folderOf: places, overridden } = read.layered;
  assert.deepEqual(
    corpus.rules.map(({ id, title }) => [id, title]),
    [
      ['a/one', 'theirs'],
      ['a/two', 'ours'],
      ['b/three', 'ours'],
    ],
  );
  assert.equal(places.get('a/two.yaml'), own);
  assert.deepEqual([...overridden], ['a/two.yaml']);
});

test('rules and codes are left out by id, which changes the hash', async context => {
  const folder = folderOf(context, named('a/one', 't'), named('a/two', 't'), catalogue);
  const all = await layerCorpus({ folders: [folder], disable: [] });
  const fewer = await layerCorpus({ folders: [folder], disable: ['a/one', 'xid-79'] });
  assert.ok(all.ok && fewer.ok);
  assert.deepEqual(
    fewer.layered.corpus.rules.map(({ id }) => id),
    ['a/two'],
  );
  assert.deepEqual(
    fewer.layered.corpus.catalogues.xid.map(({ code }) => code),
    ['xid-13'],
  );
  assert.notEqual(all.layered.corpus.hash, fewer.layered.corpus.hash);
});

test('what is left out must exist', async context => {
  const folder = folderOf(context, named('a/one', 't'));
  const read = await layerCorpus({ folders: [folder], disable: ['a/onee'] });
  assert.ok(!read.ok);
  assert.match(read.problems[0]?.message ?? '', /^a\/onee is neither the id of a rule nor a code/);
});

test('problems name the folder that their file is in', async context => {
  const shipped = folderOf(context, named('a/one', 't'));
  const own = folderOf(context, { path: 'b/two.yaml', text: 'title: [' });
  const read = await layerCorpus({ folders: [shipped, own], disable: [] });
  assert.ok(!read.ok);
  assert.equal(read.problems[0]?.file, join(own, 'b/two.yaml'));
});

test('a mounted ConfigMap is read through its links, and not twice', async context => {
  const folder = folderOf(context, { ...named('one', 't'), path: '..2026_03_02/one.yaml' });
  symlinkSync('..2026_03_02', join(folder, '..data'));
  symlinkSync('..data/one.yaml', join(folder, 'one.yaml'));
  const read = await layerCorpus({ folders: [folder], disable: [] });
  assert.ok(read.ok);
  assert.deepEqual(
    read.layered.corpus.rules.map(({ id }) => id),
    ['one'],
  );
});

test('a folder that cannot be read, or holds no rule, stops start-up', async context => {
  const empty = folderOf(context);
  for (const [folder, says] of [
    [
      '/no/such/folder',
      /cannot read the rule directory \/no\/such\/folder \(ENOENT\): it does not exist: create it/,
    ],
    [empty, /no rule \(\*\.yaml\) lies in the rule directory/],
  ] as const) {
    await assert.rejects(layerCorpus({ folders: [folder], disable: [] }), (error: unknown) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, says);
      return true;
    });
  }
});

test('a rule that would be passed over in silence is told, with what to do', async context => {
  const { text } = named('a/one', 't');
  const misnamed = folderOf(context, named('a/two', 't'), { path: 'a/one.yml', text });
  const read = await layerCorpus({ folders: [misnamed], disable: [] });
  assert.ok(!read.ok);
  assert.deepEqual(
    read.problems.map(({ file, message }) => `${file}: ${message}`),
    [`${join(misnamed, 'a/one.yml')}: the name of a rule or catalogue ends with .yaml: rename the file`],
  );

  const linked = folderOf(context, named('a/two', 't'));
  symlinkSync(folderOf(context, named('b/one', 't')), join(linked, 'b'));
  await assert.rejects(
    layerCorpus({ folders: [linked], disable: [] }),
    /b is a link to a folder.*rules\.directories/,
  );

  const dangling = folderOf(context, named('a/two', 't'));
  symlinkSync('/no/such/rule.yaml', join(dangling, 'a/gone.yaml'));
  await assert.rejects(
    layerCorpus({ folders: [dangling], disable: [] }),
    /a\/gone\.yaml \(ENOENT\): it does not exist/,
  );
  await assert.rejects(
    layerCorpus({ folders: [join(linked, 'a/two.yaml')], disable: [] }),
    /\(ENOTDIR\): it is a file: name the folder/,
  );
});

test('a device in the place of a rule is not read: that would never end', {
  timeout: 10_000,
}, async context => {
  const folder = folderOf(context, named('a/two', 't'));
  symlinkSync('/dev/zero', join(folder, 'a/zero.yaml'));
  await assert.rejects(layerCorpus({ folders: [folder], disable: [] }), /zero\.yaml is no plain file/);
});
