import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openapiDocument, openapiText } from '../contract/index.ts';
import { docsPage } from './docs-page.ts';

const page = docsPage(openapiText());

test('every path and every model of the document is on the page, and every link leads somewhere', () => {
  const { paths, components } = openapiDocument();
  for (const path of Object.keys(paths)) assert.ok(page.html.includes(`<code>${path}</code>`), path);
  for (const name of Object.keys(components.schemas)) assert.ok(page.html.includes(`id="${name}"`), name);
  for (const [, name] of page.html.matchAll(/href="#([^"]+)"/g))
    assert.ok(page.html.includes(`id="${name}"`), name);
});

test('nothing is loaded from anywhere, and the policy would not let it', () => {
  assert.doesNotMatch(page.html, /<script|<link|<img|<iframe|src=|@import|url\(/);
  assert.match(page.headers['content-security-policy'] ?? '', /default-src 'none'/);
  assert.doesNotMatch(page.headers['content-security-policy'] ?? '', /unsafe|https?:/);
});

test('the policy allows exactly the style of the page', () => {
  const style = /<style>([\s\S]*)<\/style>/.exec(page.html)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(page.headers['content-security-policy']?.includes(`style-src 'sha256-${hash}'`));
});

test('text of the document cannot become markup', () => {
  const openapi = JSON.stringify({
    info: { title: '<b>x</b>', version: '1', description: '"><script>alert(1)</script>' },
    paths: { '/<i>': { get: { description: '<u>', responses: {} } } },
    components: { schemas: { 'A"b': { type: 'object', properties: { '<s>': { type: 'string' } } } } },
  });
  assert.doesNotMatch(docsPage(openapi).html, /<script|<b>|<i>|<u>|<s>|id="A"b/);
});
