import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricList } from './metric-list.ts';
import { prometheusMetrics } from './prometheus-metrics.ts';

test('what is counted is shown with its help, and the process beside it', async () => {
  const metrics = prometheusMetrics();
  metrics.count('attribution_requests_total', { phase: 'fast', outcome: 'attributed' });
  metrics.count('attribution_requests_total', { phase: 'fast', outcome: 'attributed' }, 2);
  metrics.observe('attribution_request_duration_seconds', { phase: 'fast' }, 0.3);
  metrics.replace('attribution_build_info', { version: '1.0.0', corpus: 'before' }, 1);
  metrics.replace('attribution_build_info', { version: '1.0.0', corpus: 'abc' }, 1);
  const text = await metrics.text();
  assert.match(text, /^# HELP attribution_requests_total Requests for an attribution/m);
  assert.match(text, /^attribution_requests_total\{phase="fast",outcome="attributed"\} 3$/m);
  assert.match(text, /^attribution_request_duration_seconds_bucket\{le="0.25",phase="fast"\} 0$/m);
  assert.match(text, /^attribution_request_duration_seconds_bucket\{le="0.5",phase="fast"\} 1$/m);
  assert.match(text, /^attribution_build_info\{version="1.0.0",corpus="abc"\} 1$/m);
  assert.doesNotMatch(text, /corpus="before"/);
  assert.match(text, /^process_resident_memory_bytes /m);
});

test('a name that is not on the list, or of another kind, is a bug', () => {
  const metrics = prometheusMetrics();
  assert.throws(
    () => metrics.count('attribution_unheard_of_total', {}),
    /no metric attribution_unheard_of_total/,
  );
  assert.throws(() => metrics.set('attribution_requests_total', {}, 1), /of this kind/);
});

test('names and labels keep to the conventions', () => {
  for (const [name, { kind, labels }] of Object.entries(metricList)) {
    assert.match(name, /^attribution_[a-z_]+$/);
    assert.equal(name.endsWith('_total'), kind === 'counter', name);
    for (const label of labels) assert.doesNotMatch(label, /node|job|workload|user|host|rank/, name);
  }
});
