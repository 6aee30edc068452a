import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../../src/engine/corpus/rule.ts';
import { exampleRunner } from '../../src/engine/corpus/run-example.ts';
import { corpusOf, shippedRuleFiles } from '../support/rule-files.ts';

const corpus = corpusOf(...shippedRuleFiles());
const { xid, sxid, nvlink } = corpus.catalogues;
const judged = [...corpus.rules, ...xid, ...sxid, ...nvlink];
const rule = (id: string): Rule => {
  const found = corpus.rules.find(each => each.id === id);
  assert.ok(found !== undefined, id);
  return found;
};
const codesOf = (rows: readonly { code: string; blames: string; strength: string }[], strength: string) =>
  rows.filter(row => row.blames === 'node' && row.strength === strength).map(row => row.code);

test('only strong evidence of a root blames a node', () => {
  for (const { title, role, strength } of judged.filter(({ blames }) => blames === 'node')) {
    assert.match(strength, /^S[123]$/, title);
    assert.equal(role, 'root', title);
  }
});

test('what blames anything decides answers, and is stable', () => {
  for (const { title, status } of judged.filter(({ blames }) => blames !== 'nobody')) {
    assert.equal(status, 'stable', title);
  }
});

test('what is suffered, confirmed, noise or context blames nobody and is weak', () => {
  for (const { title, role, blames, strength } of judged) {
    if (role === 'root') continue;
    assert.equal(blames, 'nobody', title);
    assert.match(strength, /^S[456]$/, title);
  }
});

test('the strongest rank belongs to the kernel and the scheduler', () => {
  for (const { id, strength, match } of corpus.rules) {
    if (strength !== 'S1' || match.kind !== 'line') continue;
    for (const origin of match.origins) assert.ok(origin === 'kernel' || origin === 'scheduler', id);
  }
});

test('Xids of a dead GPU are of the strongest rank, others that name a node of the third', () => {
  const strongest = [46, 48, 62, 64, 79, 94, 95, 119, 120, 140, 143, 167].map(number => `xid-${number}`);
  assert.deepEqual(codesOf(xid, 'S1').sort(), strongest.sort());
  assert.deepEqual(codesOf(xid, 'S2'), []);
});

test('ambiguous Xids, teardown and codes that need decoding blame no node', () => {
  const spared = [8, 13, 31, 32, 39, 43, 44, 45, 63, 68, 74, 92, 109, 144, 145, 146, 147, 148, 149, 154, 155];
  for (const number of spared) {
    const row = xid.find(({ code }) => code === `xid-${number}`);
    assert.ok(row !== undefined && row.blames !== 'node', `xid-${number}`);
  }
  const roleOf = (number: number) => xid.find(({ code }) => code === `xid-${number}`)?.role;
  assert.equal(roleOf(45), 'victim');
  assert.equal(roleOf(43), 'cascade');
  assert.equal(roleOf(154), 'confirmation');
});

test('an end of a link that says its peer went first is not accused', () => {
  const reasons = ['15', '20', '21', '22', '23', '24', '25'];
  for (const reason of reasons) {
    const row = nvlink.find(({ code }) => code === `nvlink-149-NETIR_LINK_EVT-${reason}`);
    assert.equal(row?.blames, 'nobody', reason);
    assert.equal(row?.symptom, 'nvlink-peer-down', reason);
  }
  for (const status of ['0x4', '0x8']) {
    const row = nvlink.find(({ code }) => code === `nvlink-145-RLW_SRC_TRACK-${status}`);
    assert.equal(row?.symptom, 'nvlink-packet-loss', status);
  }
});

test('switch errors that are corrected name no node, fatal ones do', () => {
  const blames = (code: number) => sxid.find(row => row.code === `sxid-${code}`)?.blames;
  for (const code of [11012, 19084, 20001, 22013, 24001, 28006, 10005]) assert.equal(blames(code), 'nobody');
  for (const code of [11004, 12028, 12020, 20034, 22003, 24007, 26006]) assert.equal(blames(code), 'node');
});

test('a kernel line printed by a job names no node', () => {
  const runner = exampleRunner(corpus);
  for (const each of corpus.rules) {
    if (each.match.kind !== 'line' || !each.match.origins.includes('kernel')) continue;
    if (each.match.origins.includes('job')) continue;
    for (const { text } of each.matches) {
      const named = runner.run(each, text, 'job').filter(match => rule(match.rule).blames === 'node');
      assert.deepEqual(named, [], `${each.id}: ${text}`);
    }
  }
});

test('what peers, launchers and srun say of another node locates nothing in job text', () => {
  for (const { id, match, matches, role } of corpus.rules) {
    if (match.kind !== 'line' || !match.origins.includes('job')) continue;
    for (const { captures } of matches) assert.equal(captures['node'], undefined, id);
    if (role === 'placement') for (const { captures } of matches) assert.ok(captures['host'], id);
  }
});
