import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRedactor } from '../../src/redaction/redactor.ts';
import { facts, forms, kernelLine, leakOf, seededSecrets, surroundings } from './seeded-secrets.ts';

const redact = createRedactor({ enabled: true, userNames: [] });

test('there are 200: 20 forms in 10 surroundings', () => {
  assert.deepEqual([forms.length, surroundings.length, seededSecrets.length], [20, 10, 200]);
  assert.equal(new Set(seededSecrets.map(({ secret }) => secret)).size, 200);
});

describe('no secret is left, and what a verdict needs is', () => {
  for (const seeded of seededSecrets) {
    test(`${seeded.form} in ${seeded.surrounding}`, () => {
      for (const text of [kernelLine(seeded.text), `${seeded.text}\n${kernelLine('')}`]) {
        const left = redact(text);
        assert.equal(leakOf(seeded, left), null, left);
        for (const fact of [facts.node, facts.hash, `Xid (PCI:${facts.pci}): ${facts.xid}`]) {
          assert.ok(left.includes(fact), left);
        }
      }
    });
  }
});
