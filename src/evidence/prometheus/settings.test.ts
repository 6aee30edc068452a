import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpusOf, shippedRuleFiles } from '../../../tests/support/rule-files.ts';
import { metricNeeds } from '../../engine/corpus/metrics.ts';
import { enablingOf } from './enabling.ts';
import { parsePrometheusSettings } from './settings.ts';

const named = { name: 'metrics', kind: 'prometheus', url: 'http://127.0.0.1:9090' };

test('what an operator writes', () => {
  const parsed = parsePrometheusSettings({
    ...named,
    nodeLabel: 'host',
    matchers: '{cluster="a"}',
    metrics: { DCGM_FI_DEV_XID_ERRORS: 'gpu_xid', up: false },
  });
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.settings.nodeLabels, ['host']);
  assert.deepEqual(parsed.settings.matchers, [{ label: 'cluster', operator: '=', value: 'a' }]);
  assert.deepEqual(parsed.settings.metricNames, { DCGM_FI_DEV_XID_ERRORS: 'gpu_xid', up: null });
  assert.equal(parsed.settings.mostNodes, 64);
});

test('mistakes are told with their place', () => {
  const problemsOf = (written: Readonly<Record<string, unknown>>): string => {
    const parsed = parsePrometheusSettings({ ...named, ...written });
    return parsed.ok ? '' : parsed.problems.join('\n');
  };
  assert.match(problemsOf({ nodeLabel: 'a-b' }), /^nodeLabel/);
  assert.match(problemsOf({ matchers: '{cluster=a}' }), /^matchers: cannot be read/);
  assert.match(problemsOf({ metrics: { up: 'a b' } }), /^metrics\.up/);
  assert.match(problemsOf({ mostNodes: 0 }), /^mostNodes: /);
  assert.match(problemsOf({ metric: {} }), /unknown setting/);
  assert.match(problemsOf({ url: 'prometheus:9090' }), /^url: is no http address/);
});

test('every metric that a shipped rule looks at has a line that enables it', () => {
  const metrics = metricNeeds(corpusOf(...shippedRuleFiles())).map(({ metric }) => metric);
  const known = metrics.filter(metric => metric !== 'up');
  const lines = enablingOf([...new Set(known)]).flatMap(each => each.lines);
  assert.ok(lines.length > 10);
  for (const line of lines) {
    assert.doesNotMatch(line, /Wanted by a rule|^the collector of/);
    assert.match(line, /^DCGM_[A-Z0-9_]+, (?:gauge|counter), |^--collector\.[a-z_]+ {3}# needs /);
  }
  assert.match(enablingOf(['up'])[0]?.where ?? '', /scrape what exports them/);
});
