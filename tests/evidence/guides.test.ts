import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readSettings } from '../../src/config/read-settings.ts';
import { parseRequest } from '../../src/contract/index.ts';
import { parseSource } from '../../src/evidence/source-kinds.ts';
import { checkout } from '../support/service.ts';

const folder = join(checkout, 'docs/guides');
const guides = readdirSync(folder).filter(name => name.endsWith('.md'));

/** The fenced blocks of one language in a guide. */
function blocks(name: string, language: string): readonly string[] {
  const text = readFileSync(join(folder, name), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, said, body]) =>
    said === language && body !== undefined ? [body] : [],
  );
}

interface Written {
  readonly sources?: readonly { readonly kind: string }[];
}

for (const name of guides) {
  const documents = blocks(name, 'yaml').filter(text => /^(?:sources|listen|contract|window):/m.test(text));
  if (documents.length === 0) continue;

  test(`${name}: every configuration is one that the service reads`, () => {
    for (const text of documents) {
      const file = { path: name, text };
      assert.doesNotThrow(() => readSettings({ file, environment: {}, flags: {} }), text);
      for (const source of (parse(text) as Written).sources ?? []) {
        const parsed = parseSource(source);
        assert.deepEqual(parsed.ok ? [] : parsed.problems, [], text);
      }
    }
  });
}

test('every command of a guide is one that exists', async () => {
  const { commandList } = await import('../../src/cli/commands.ts');
  const { Command } = await import('commander');
  const program = new Command();
  for (const add of commandList) add(program, () => {});
  const known = new Set(program.commands.map(command => command.name()));
  for (const name of guides) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [whole, command] of text.matchAll(/attribution-adapter ([a-z]+)(?= |`|$)/gm)) {
      assert.ok(known.has(command ?? ''), `${name}: ${whole}`);
    }
  }
});

test('the request in the guide for NVIDIA Recovery is one that is accepted', () => {
  const [body] = blocks('nvidia-recovery.md', 'json');
  const bytes = new TextEncoder().encode(body);
  const options = { naiveDatetimes: 'refuse', echoInput: true } as const;
  assert.ok(parseRequest(bytes, 'application/json', options).ok);
});

test('every guide is named in the README or in another guide', () => {
  const texts = new Map(guides.map(name => [name, readFileSync(join(folder, name), 'utf8')]));
  texts.set('README.md', readFileSync(join(checkout, 'README.md'), 'utf8'));
  for (const name of guides) {
    assert.ok(
      [...texts].some(([other, text]) => other !== name && text.includes(name)),
      `${name} is named nowhere`,
    );
  }
});
