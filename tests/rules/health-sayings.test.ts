import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../../src/engine/corpus/rule.ts';
import { exampleRunner } from '../../src/engine/corpus/run-example.ts';
import { corpusOf, shippedRuleFiles } from '../support/rule-files.ts';

const corpus = corpusOf(...shippedRuleFiles());
const runner = exampleRunner(corpus);
const byId = new Map(corpus.rules.map(rule => [rule.id, rule]));
const isHealth = ({ id, match }: Rule): boolean =>
  id.startsWith('health/') &&
  match.kind !== 'sample' &&
  (match.kind === 'state' || match.origins.includes('health'));
const naming = corpus.rules.filter(rule => isHealth(rule) && rule.blames === 'node');
const found = (rule: Rule, text: string) =>
  runner.run(rule, text, rule.match.kind === 'line' ? 'health' : null);
const names = (rule: Rule, text: string) =>
  found(rule, text).flatMap(match => (byId.get(match.rule)?.blames === 'node' ? [match.rule] : []));

const gotNowhere = [
  'timed out',
  'timeout after 60s',
  'probe_timeout',
  'timed_out',
  'test_timeout=60 reached',
  'TIMEDOUT',
  'exit code 124',
  'nvidia-smi exit 124',
  'exited with status 137',
  'time limit exceeded',
  'time limit reached',
  'context deadline exceeded',
  'did not finish within 60 s',
  'no response after 60 s',
  'killed by signal 9',
  'was interrupted',
  'was cancelled',
  'context canceled',
  'aborted',
  'stopped due to user signal',
  'device is busy',
  'GPU 3 is not idle',
  'in use by another process',
  '2 processes are running',
  'another diag is already running',
  'could not allocate memory',
  'out of memory',
  'Allocation failed',
];
const setAside = [
  'not supported',
  'nvidia-smi: not found',
  'nvidia-smi: No such file or directory',
  'ibstat not found',
  'permission denied',
  'driver not loaded',
  'driver version 535, wanted 550',
  'persistence mode disabled',
  'leftovers of a job: leftover processes',
  'skipped',
  'excluded by configuration',
  'has been cleared',
  'expected for this sku',
];

test('no health rule names a node for a check that got nowhere, was set aside, or does not fit', () => {
  assert.ok(naming.length >= 15, String(naming.length));
  for (const rule of naming) {
    for (const { text } of rule.matches) {
      assert.notDeepEqual(names(rule, text), [], text);
      for (const words of [...gotNowhere, ...setAside]) {
        const told = `${text} (${words})`;
        assert.deepEqual(names(rule, told), [], told);
      }
    }
  }
});

test('a check that got nowhere is told as an open question', () => {
  for (const rule of naming.filter(({ id }) => id !== 'health/gpu-count-low')) {
    for (const { text } of rule.matches.filter(({ text: each }) => /fail|DCGM_FR|^[a-z_]+=/i.test(each))) {
      for (const words of gotNowhere) {
        const rules = found(rule, `${text} (${words})`).map(({ rule: id }) => id);
        assert.ok(
          rules.some(id => id.endsWith('undecided')),
          `${text} (${words}): ${rules.join()}`,
        );
      }
    }
  }
});

const line = (text: string) => {
  const rule = byId.get('health/check-failed');
  assert.ok(rule !== undefined);
  return names(rule, `2026-03-04T11:30:11+00:00 node-03 epilog[7310]: ${text}`);
};

test('words that deny, count nothing or tell of another matter name nobody', () => {
  for (const text of [
    'dcgmi diag: none of DCGM_FR_FAULTY_MEMORY DCGM_FR_GPU_LOST found',
    'dcgmi diag: checking for DCGM_FR_FAULTY_MEMORY on GPU 3',
    'dcgmi diag: FAIL codes looked for: DCGM_FR_FAULTY_MEMORY,DCGM_FR_GPU_LOST',
    'dcgmi diag: WARN DCGM_FR_THERMAL_VIOLATIONS: GPU 3 had 0 thermal violations',
    'dcgmi diag: WARN DCGM_FR_THERMAL_VIOLATIONS count=0',
    'dcgmi diag: error DCGM_FR_FAULTY_MEMORY: 0 of 12 elements',
    'DCGM_FR_FAULTY_MEMORY ... ok',
    'DCGM_FR_FAULTY_MEMORY GPU3=0',
    'gpu_burn: faulty GPUs: 0',
    'gpu_burn: usage: errors: 2 unknown option',
    'ERROR:  nhc:  Health check failed:  check_gpu_mem_used:  GPU 3 has 512 MiB used',
    'ERROR:  nhc:  Health check failed:  check_dcgm_service:  nv-hostengine is down',
    'ERROR:  nhc:  Health check failed:  check_hw_mem_free:  free memory too low',
    'ERROR:  nhc:  Health check failed:  check_dmi_data_match:  BIOS does not match',
    'ERROR:  nhc:  Health check failed:  check_ipmi_sel:  SEL is full',
    'check gpu-count: FAIL (0 of 8)',
    'check gpu-count: FAIL (7 of 8 idle)',
    'check gpu-count: FAIL (7 of 8) on node-05',
    'FAIL: gpu count 7, expected 8 (MIG enabled)',
  ]) {
    assert.deepEqual(line(text), [], text);
  }
});

test('a finding in plain words names its node', () => {
  for (const text of [
    'dcgmi diag: GPU 0 FAIL DCGM_FR_FAULTY_MEMORY: found 10 faulty memory elements on GPU 0',
    'dcgmi health: Error: DCGM_FR_VOLATILE_DBE_DETECTED: 1 double bit error on GPU 0',
    'gpu_burn: GPU 0: FAULTY',
    'ERROR:  nhc:  Health check failed:  check_nvsmi_healthmon:  GPU 3 does not answer',
    'check gpu-count: FAIL (7 of 8)',
  ]) {
    assert.notDeepEqual(line(text), [], text);
  }
});

test('what tools and event logs write names no node in a line of a check that says it passed', () => {
  const others = corpus.rules.filter(
    rule =>
      rule.blames === 'node' &&
      !isHealth(rule) &&
      rule.match.kind === 'line' &&
      rule.match.origins.includes('health'),
  );
  assert.ok(others.length >= 10, String(others.length));
  for (const rule of others) {
    for (const { text } of rule.matches) assert.deepEqual(names(rule, `epilog[7310]: PASS ${text}`), [], text);
  }
});
