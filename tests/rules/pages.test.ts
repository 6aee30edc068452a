import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rulePages } from '../../src/cli/rules/rule-pages.ts';
import { corpusOf, ruleFile, shippedRuleFiles } from '../support/rule-files.ts';
import { checkout } from '../support/service.ts';

const folder = join(checkout, 'docs/reference/rules');

test('the reference pages are those of the rules: make generate writes them again', () => {
  const pages = rulePages(corpusOf(...shippedRuleFiles()));
  assert.deepEqual(readdirSync(folder).sort(), [...pages.keys()].sort());
  for (const [name, text] of pages) assert.equal(readFileSync(join(folder, name), 'utf8'), text, name);
});

test('every rule and code has its place on a page', () => {
  const corpus = corpusOf(...shippedRuleFiles());
  const text = [...rulePages(corpus).values()].join('\n');
  for (const { id } of corpus.rules) assert.ok(text.includes(`\n## ${id}\n`), id);
  const { xid, sxid, nvlink } = corpus.catalogues;
  for (const { code } of [...xid, ...sxid, ...nvlink]) assert.ok(text.includes(`| ${code} |`), code);
});

test('a line that holds a fence stays inside its block', () => {
  const example = '```\n# heading';
  const corpus = corpusOf(
    ruleFile('site/fence', {
      examples: { match: [{ text: example }], no_match: [{ text: 'x', because: 'y' }] },
    }),
  );
  assert.match(rulePages(corpus).get('site.md') ?? '', /\n````text\n```\n# heading\n````\n/);
});
