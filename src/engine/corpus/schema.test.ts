import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import { loadCorpus } from './load.ts';
import { ruleSchema, ruleSchemaText } from './schema.ts';

const published = resolve(import.meta.dirname, '../../../api/rule.schema.json');

test('api/rule.schema.json is what the schema says; write it anew with ruleSchemaText()', () => {
  assert.equal(readFileSync(published, 'utf8'), ruleSchemaText());
});

test('an independent validator and the loader refuse the same files', () => {
  const validate = new Ajv2020({ strict: false }).compile(ruleSchema);
  const variants = [
    {},
    { status: 'final' },
    { symptom: 'Not A Name' },
    { extra: 1 },
    { references: [] },
    { lasts: 'yes' },
    { count: { at_least: 1, within_seconds: 5, by: 'node' } },
    { count: { at_least: 2, within_seconds: 5, by: 'node' } },
    { inhibits: [{ symptoms: ['xid-45'], scope: 'rack', within_seconds: 5 }] },
    { inhibits: [{ symptoms: ['xid-45'], scope: 'device', within_seconds: 5 }] },
    { match: {} },
    { match: lineMatch({ origins: [] }) },
    { match: lineMatch({ origins: ['kernel', 'kernel'] }) },
    { match: lineMatch({}, [{ pattern: 'x', lines: 65 }]) },
    { examples: { match: [{ text: 'a', captures: { pcix: 'b' } }], no_match: [{ text: 'a', because: 'b' }] } },
    { examples: { match: [{ text: 'a', captures: { pci: 1 } }], no_match: [{ text: 'a', because: 'b' }] } },
    { examples: { match: [], no_match: [] } },
  ];
  for (const fields of variants) {
    const file = ruleFile('a', fields);
    assert.equal(loadCorpus([file]).ok, validate(parse(file.text)), JSON.stringify(fields));
  }
});
