import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { readCaseFolder } from '../../src/cli/case-folder.ts';
import { verdictOf } from '../../src/providers/rules/verdict-changes.ts';
import { attributeCase } from '../support/attribute-case.ts';
import { checkout } from '../support/service.ts';

const cases = readdirSync(join(checkout, 'cases'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name);
const corpus = await openCorpus();
const kindsRun = { symptoms: 0, guards: 0 };
let answersThatChange = 0;

for (const name of cases) {
  test(`${name}: run again with a change, the verdict is the one stated`, async () => {
    const folder = await readCaseFolder(join(checkout, 'cases', name));
    const attribution = await attributeCase(folder, corpus);
    const changes = attribution.changes() ?? [];
    if (changes.length > 0) answersThatChange += 1;
    const actual = verdictOf(attribution.outcome);
    for (const { change, verdict } of changes) {
      const again = await attributeCase(folder, corpus, change);
      assert.deepEqual(verdictOf(again.outcome), verdict);
      assert.notDeepEqual(verdict, actual);
      kindsRun[change.kind] += 1;
    }
  });
}

test('most answers can be changed, by what was seen and by what guards', () => {
  assert.ok(cases.length >= 60);
  assert.ok(answersThatChange * 3 > cases.length * 2, String(answersThatChange));
  assert.ok(kindsRun.symptoms >= 60, String(kindsRun.symptoms));
  assert.ok(kindsRun.guards >= 3, String(kindsRun.guards));
});
