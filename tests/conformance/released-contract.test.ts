import assert from 'node:assert/strict';
import { openapiText } from '../../src/contract/index.ts';
import { at, type Draft } from '../contract/planted-differences.ts';
import { decisionRecords, releasedDocument, unrecordedBreaks } from '../support/released-contract.ts';
import { claim } from './claims.ts';

claim(48, () => {
  assert.deepEqual(unrecordedBreaks(releasedDocument(), decisionRecords()), []);
  const changed = JSON.parse(openapiText()) as Draft;
  const request = at(changed, 'components schemas WorkloadAttributionRequest');
  (request['required'] as string[]).push('cluster');
  (request['properties'] as Draft)['cluster'] = { type: 'string', title: 'Cluster' };
  const [found, ...others] = unrecordedBreaks(releasedDocument(), [], changed);
  assert.match(found ?? '', /cluster/);
  const path = found?.split('  ')[0] ?? '';
  const rest = (record: string) => unrecordedBreaks(releasedDocument(), [record], changed);
  assert.deepEqual(rest(`# 9. Clusters\n\n**Breaks.** \`${path}\`: callers name their cluster.\n`), others);
  assert.equal(rest(`# 9. Clusters\n\nBreaks \`${path}\`.\n`).length, others.length + 1);
});
