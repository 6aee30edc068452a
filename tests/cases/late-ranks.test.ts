import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCorpus } from '../../src/app/engine.ts';
import { readCaseFolder } from '../../src/cli/case-folder.ts';
import { lateRanksText } from '../../src/cli/reading-text.ts';
import { attributeCase } from '../support/attribute-case.ts';
import { checkout } from '../support/service.ts';

const corpus = await openCorpus();
const answerTo = async (name: string) => {
  const { outcome, symptoms } = await attributeCase(
    await readCaseFolder(join(checkout, 'cases', name)),
    corpus,
  );
  return { ...outcome, text: lateRanksText(symptoms) };
};

test('of a hang that no machine explains, the rank that came least far is told, and its node left open', async () => {
  const { findings, unattributed, text } = await answerTo('hang-with-clean-node-logs');
  assert.deepEqual(findings, []);
  // Rank 26 timed out in 9116, five others in 9117 and four in 9118; rank 3 said so first.
  assert.deepEqual(unattributed, [{ type: 'Node', node: 'node-04' }]);
  assert.match(text, /^ {2}late {2}rank 26 on node-04 did not arrive at work 9117, as 9 others did: .*\n$/);
});

test('ranks that say nothing while all others wait are told, and their node left open', async () => {
  const { findings, unattributed, text } = await answerTo('two-ranks-silent-while-all-others-wait');
  assert.deepEqual(findings, []);
  assert.deepEqual(unattributed, [{ type: 'Node', node: 'gpu-08' }]);
  assert.match(
    text,
    /^ {2}late {2}ranks 24-25 on gpu-08 did not arrive at work 309171, as 54 others did: .*\n$/,
  );
});

test('where all ranks stand at one number nobody is late', async () => {
  const { unattributed, text } = await answerTo('every-rank-stuck-in-one-collective');
  assert.deepEqual(unattributed, []);
  assert.equal(text, '');
});
