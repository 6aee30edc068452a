import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { readCaseFolder } from '../../src/cli/case-folder.ts';
import type { Finding } from '../../src/core/outcome.ts';
import type { Symptom } from '../../src/core/symptom.ts';
import { type Corpus, removeRow, removeRule } from '../../src/engine/corpus/corpus.ts';
import type { Attribution } from '../../src/providers/rules/attribute.ts';
import { attributeCase } from '../support/attribute-case.ts';

const root = join(import.meta.dirname, '../../cases');
const corpus = await openCorpus();
const names = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name);

for (const name of names) {
  const folder = await readCaseFolder(join(root, name));
  if (folder.fast.expected.targets.length === 0) continue;

  test(`${name} breaks without the rules it depends on`, async () => {
    const whole = await attributeCase(folder, corpus);
    let without = corpus;
    let known = whole;
    // A fault with several independent signs is still named by the next one: take away one after the other.
    for (let round = 0; round < 8 && sameAnswer(known, whole); round += 1) {
      const decisive = known.symptoms.filter(symptom => symptom.role === 'initiating');
      assert.ok(decisive.length > 0, 'nothing initiating decides this answer');
      const signs = new Set(decisive.map(signOf));
      without = [...signs].reduce(withoutSign, without);
      known = await attributeCase(folder, without);
    }
    assert.ok(!sameAnswer(known, whole));
  });
}

function sameAnswer(a: Attribution, b: Attribution): boolean {
  return a.outcome.findings.map(gist).join() === b.outcome.findings.map(gist).join();
}

function gist({ target, category }: Finding): string {
  return `${target.type === 'Node' ? target.node : target.type} ${category}`;
}

/** The catalogue row where the symptom has a code, else its rule. */
function signOf({ rule, code }: Symptom): string {
  return code === null ? `rule ${rule}` : `row ${code}`;
}

function withoutSign(known: Corpus, sign: string): Corpus {
  const [kind, name = ''] = sign.split(' ');
  return kind === 'row' ? removeRow(known, name) : removeRule(known, name);
}
